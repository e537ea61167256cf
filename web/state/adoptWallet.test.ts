import { expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { adoptWallet } from "./adoptWallet.ts";

const wallet = { passphrase: new Uint8Array(12), seed: null, network: "d1".repeat(32) };
const vault = { header: "", passSlot: new Uint8Array(), seed: new Uint8Array() };

/** A keyring that notes its locks, and a worker that stores or refuses. */
function makers(refusal: SvcError | null) {
  const seed = new Uint8Array(32).fill(7);
  const locks: string[] = [];
  return {
    seed,
    locks,
    keyring: {
      create: async () => ({ vault, seed }),
      lock: async () => void locks.push("locked"),
    },
    worker: {
      adopt: async () => {
        if (refusal !== null) throw refusal;
      },
    },
  };
}

test("gives the seed of a wallet that was stored, and leaves it open", async () => {
  const parts = makers(null);
  expect(await adoptWallet(parts, wallet, { kind: "now" })).toBe(parts.seed);
  expect(parts.locks).toEqual([]);
});

test("erases the fresh seed when the wallet could not be stored, here and in the keyring", async () => {
  const parts = makers(new SvcError("wallet/exists", {}));
  await expect(adoptWallet(parts, wallet, { kind: "now" })).rejects.toThrow("wallet/exists");
  expect([...parts.seed].every((byte) => byte === 0)).toBe(true);
  expect(parts.locks).toEqual(["locked"]);
});
