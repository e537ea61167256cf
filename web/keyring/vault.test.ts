import { encodeHex } from "@svc/shared/base/hex.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { codeOf as codeOfCall } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { passphraseBytes } from "../wallet-api/passphraseBytes.ts";
import { isWatchOnly } from "../wallet-api/vaultHolds.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";
import type { Argon2id } from "./passphraseKey.ts";
import { cheapArgon2id } from "./testkit/cheapArgon2id.ts";
import { createVault, openVault, readVaultHeader } from "./vault.ts";

// The cheapest cost that a vault may have.
const cost = { memoryKib: PAGE_LIMITS.vaultKdfMemoryMinKib, passes: PAGE_LIMITS.vaultKdfPassesMin };
const PASSPHRASE = "correct horse battery";
const SEED = Uint8Array.from({ length: 32 }, (_, index) => index + 1);

const secretOf = (text: string) => new Secret(passphraseBytes(text));
const bytesOf = (secret: Secret) => secret.reveal((bytes) => bytes.slice());
const codeOf = (call: () => unknown): string => codeOfCall(call, "no error");

let record: VaultRecord;
let dataKey: Uint8Array;

beforeAll(() => {
  const contents = {
    seed: new Secret(SEED.slice()),
    passphrase: secretOf(PASSPHRASE),
    network: "ab".repeat(32),
  };
  const made = createVault(contents, cheapArgon2id, cost);
  record = made.record;
  dataKey = bytesOf(made.open.dataKey);
});

describe("vault", () => {
  test("gives back the seed and the same data key", () => {
    const open = openVault(record, secretOf(PASSPHRASE), cheapArgon2id);
    expect(bytesOf(open.seed)).toEqual(SEED);
    expect(bytesOf(open.dataKey)).toEqual(dataKey);
  });

  test("stores neither seed nor data key in the clear", () => {
    const stored = [new TextEncoder().encode(record.header), record.passSlot, record.seed];
    const hex = stored.map(encodeHex).join("");
    expect(hex).not.toContain(encodeHex(SEED));
    expect(hex).not.toContain(encodeHex(dataKey));
    expect(record.header).not.toContain(encodeHex(SEED));
  });

  test("composed and decomposed letters are the same passphrase", () => {
    expect(passphraseBytes("Zürich 2026 grün")).toEqual(passphraseBytes("Zürich 2026 grün"));
  });

  test("refuses a short passphrase, counted in characters", () => {
    expect(codeOf(() => passphraseBytes("123456789"))).toBe("wallet/weak-passphrase");
    expect(codeOf(() => passphraseBytes("🦊🦊🦊🦊🦊"))).toBe("wallet/weak-passphrase");
    expect(codeOf(() => passphraseBytes("1234567890"))).toBe("no error");
  });

  test("a wrong passphrase is refused", () => {
    const open = () => openVault(record, secretOf("correct horse batter!"), cheapArgon2id);
    expect(codeOf(open)).toBe("wallet/wrong-passphrase");
  });

  test("a changed slot is refused like a wrong passphrase", () => {
    const changed = { ...record, passSlot: withFlippedBit(record.passSlot, 40) };
    expect(codeOf(() => openVault(changed, secretOf(PASSPHRASE), cheapArgon2id))).toBe(
      "wallet/wrong-passphrase",
    );
  });

  test("a changed seed record is damage", () => {
    const changed = { ...record, seed: withFlippedBit(record.seed, record.seed.length - 1) };
    expect(codeOf(() => openVault(changed, secretOf(PASSPHRASE), cheapArgon2id))).toBe(
      "store/corrupt",
    );
  });

  test("the header is authenticated: another network does not open", () => {
    const changed = { ...record, header: record.header.replace("abab", "abac") };
    expect(readVaultHeader(changed).network).not.toBe(readVaultHeader(record).network);
    expect(codeOf(() => openVault(changed, secretOf(PASSPHRASE), cheapArgon2id))).toBe(
      "wallet/wrong-passphrase",
    );
  });

  test("a header that asks for a cheap or a ruinous derivation is refused before any work", () => {
    const never: Argon2id = () => {
      throw new Error("must not be called");
    };
    for (const memory of [8, PAGE_LIMITS.vaultKdfMemoryMaxKib + 1]) {
      const header = record.header.replace(
        `"memoryKib":${cost.memoryKib}`,
        `"memoryKib":${memory}`,
      );
      expect(header).not.toBe(record.header);
      const open = () => openVault({ ...record, header }, secretOf(PASSPHRASE), never);
      expect(codeOf(open)).toBe("store/corrupt");
    }
  });

  test("unknown versions are named as such", () => {
    const header = record.header.replace('"version":1', '"version":3');
    expect(codeOf(() => readVaultHeader({ ...record, header }))).toBe("store/version");
    const slot = { ...record, passSlot: Uint8Array.from(record.passSlot) };
    slot.passSlot[0] = 9;
    expect(codeOf(() => openVault(slot, secretOf(PASSPHRASE), cheapArgon2id))).toBe(
      "store/version",
    );
  });

  test("text that is no header is damage", () => {
    for (const header of ["", "{", "[]", '{"version":1}']) {
      expect(codeOf(() => readVaultHeader({ ...record, header }))).toBe("store/corrupt");
    }
  });

  test("of a viewing key names it in its authenticated header, and is no vault of a seed", () => {
    const key = Uint8Array.from({ length: 96 }, (_, index) => index);
    const contents = {
      holds: "full-viewing-key",
      seed: new Secret(key.slice()),
      passphrase: secretOf(PASSPHRASE),
      network: "ab".repeat(32),
    } as const;
    const watching = createVault(contents, cheapArgon2id, cost).record;
    expect([isWatchOnly(watching), isWatchOnly(record)]).toEqual([true, false]);
    const open = openVault(watching, secretOf(PASSPHRASE), cheapArgon2id);
    expect([open.holds, bytesOf(open.seed)]).toEqual(["full-viewing-key", key]);
    expect(openVault(record, secretOf(PASSPHRASE), cheapArgon2id).holds).toBe("seed");
    // A forger who takes the name away makes a vault that does not open.
    const header = watching.header
      .replace('"version":2', '"version":1')
      .replace(',"holds":"full-viewing-key"', "");
    const forged = { ...watching, header };
    expect(readVaultHeader(forged).version).toBe(1);
    expect(codeOf(() => openVault(forged, secretOf(PASSPHRASE), cheapArgon2id))).toBe(
      "wallet/wrong-passphrase",
    );
    expect(isWatchOnly({ header: "{" })).toBe(false);
  });
});
