import { expect, test } from "vitest";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { seedSigner } from "./seedSigner.ts";

const { signal } = new AbortController();
const intent = { profile: {}, recoverable: false, daaScore: "1", payments: [], fee: "2" };
const proved = {
  bundle: Uint8Array.of(1),
  disclosure: "[2]",
  alphas: "[3]",
  finalize: async () => new Uint8Array(),
};
const token = asWalletToken("alice");

test("signs with the seed, which is erased at once", async () => {
  const seed = new Secret(new Uint8Array(32).fill(7));
  const asked: unknown[] = [];
  const signer = seedSigner(
    {
      folder: { openSeed: async () => seed },
      core: {
        checkAndSign: (...call) => {
          asked.push([[...call[0]], ...call.slice(1)]);
          return "[4]";
        },
      },
    },
    token,
  );
  expect(await signer.sign(intent, proved, signal)).toBe("[4]");
  const bytes = Array.from({ length: 32 }, () => 7);
  expect(asked).toEqual([[bytes, JSON.stringify(intent), proved.bundle, "[2]", "[3]"]]);
  expect(seed.erased).toBe(true);
});

test("erases the seed, too, when the proved payment is another one than was asked for", async () => {
  const seed = new Secret(new Uint8Array(32));
  const signer = seedSigner(
    {
      folder: { openSeed: async () => seed },
      core: {
        checkAndSign: () => {
          const refusal = new SvcError("signer/payee-missing", { position: 0 });
          throw new Error(JSON.stringify(refusal));
        },
      },
    },
    token,
  );
  await expect(signer.sign(intent, proved, signal)).rejects.toThrow("signer/payee-missing");
  expect(seed.erased).toBe(true);
});
