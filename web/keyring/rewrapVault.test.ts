import { readFileSync } from "node:fs";
import { argon2id as nobleArgon2id } from "@noble/hashes/argon2.js";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { passphraseBytes } from "../wallet-api/passphraseBytes.ts";
import type { Argon2id } from "./passphraseKey.ts";
import { cheapArgon2id } from "./testkit/cheapArgon2id.ts";
import { createVault, openVault, readVaultHeader, rewrapVault } from "./vault.ts";

const hex = v.pipe(
  v.string(),
  v.transform((text) => new Uint8Array(decodeHex(text))),
);
const { version1: stored } = v.parse(
  v.object({
    version1: v.object({
      passphrase: v.string(),
      header: v.string(),
      passSlot: hex,
      sealedSeed: hex,
      seed: v.string(),
      dataKey: v.string(),
    }),
  }),
  JSON.parse(readFileSync(new URL("../../tests/vectors/vault.json", import.meta.url), "utf8")),
);
const STORED = { header: stored.header, passSlot: stored.passSlot, seed: stored.sealedSeed };
const NEXT = "another passphrase";

/** The real one, for what is stored. */
const realArgon2id: Argon2id = (passphrase, salt, m, t) =>
  nobleArgon2id(passphrase, salt, { m, t, p: 1, dkLen: 32 });
const cost = { memoryKib: PAGE_LIMITS.vaultKdfMemoryMinKib, passes: PAGE_LIMITS.vaultKdfPassesMin };
const secretOf = (text: string) => new Secret(passphraseBytes(text));
/** A vault as it is made today. */
const { record: OLD } = createVault(
  {
    seed: new Secret(decodeHex(stored.seed, 32)),
    passphrase: secretOf(stored.passphrase),
    network: "cd".repeat(32),
  },
  cheapArgon2id,
  cost,
);
const opened = (record: typeof OLD, passphrase: string, argon2id = cheapArgon2id) => {
  const { seed, dataKey, network } = openVault(record, secretOf(passphrase), argon2id);
  return { seed: seed.reveal(encodeHex), dataKey: dataKey.reveal(encodeHex), network };
};
const rewrapped = (record = OLD, passphrase = stored.passphrase, argon2id = cheapArgon2id) =>
  rewrapVault(record, { passphrase: secretOf(passphrase), next: secretOf(NEXT) }, argon2id, cost);

describe("a vault that an earlier program stored", () => {
  const keys = { seed: stored.seed, dataKey: stored.dataKey };

  test("opens with its passphrase", () => {
    expect(opened(STORED, stored.passphrase, realArgon2id)).toMatchObject(keys);
  });

  test("opens with the new passphrase once it is changed, all of it stretched for real", () => {
    const changed = rewrapped(STORED, stored.passphrase, realArgon2id);
    expect(opened(changed, NEXT, realArgon2id)).toMatchObject(keys);
  });
});

describe("a vault whose passphrase is changed", () => {
  test("opens with the new passphrase alone, and gives the same keys", () => {
    const before = { ...OLD };
    const changed = rewrapped();
    expect(opened(changed, NEXT)).toEqual(opened(OLD, stored.passphrase));
    expect(codeOf(() => opened(changed, stored.passphrase))).toBe("wallet/wrong-passphrase");
    // Until the caller has stored the new one, the old one is as it was.
    expect(OLD).toEqual(before);
  });

  test("keeps its name and its network, and gets a salt of its own", () => {
    const [before, after] = [readVaultHeader(OLD), readVaultHeader(rewrapped())];
    expect({ ...after, kdf: null }).toEqual({ ...before, kdf: null });
    expect(after.kdf.salt).not.toBe(before.kdf.salt);
    expect(readVaultHeader(rewrapped()).kdf.salt).not.toBe(after.kdf.salt);
  });

  test("no part of the old record fits the new one", () => {
    const changed = rewrapped();
    expect(codeOf(() => opened({ ...changed, passSlot: OLD.passSlot }, stored.passphrase))).toBe(
      "wallet/wrong-passphrase",
    );
    expect(codeOf(() => opened({ ...changed, seed: OLD.seed }, NEXT))).toBe("store/corrupt");
    expect(codeOf(() => opened({ ...OLD, header: changed.header }, stored.passphrase))).toBe(
      "wallet/wrong-passphrase",
    );
  });

  test("is not changed by a wrong passphrase, nor when it is damaged", () => {
    expect(codeOf(() => rewrapped(OLD, "correct horse batterx"))).toBe("wallet/wrong-passphrase");
    const damaged = { ...OLD, seed: withFlippedBit(OLD.seed, OLD.seed.length - 1) };
    expect(codeOf(() => rewrapped(damaged))).toBe("store/corrupt");
  });
});
