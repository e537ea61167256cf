import { readFileSync } from "node:fs";
import { argon2id as nobleArgon2id } from "@noble/hashes/argon2.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { NO_ANNOTATIONS, type BackupAnnotations } from "../wallet-api/backupAnnotations.ts";
import { passphraseBytes } from "../wallet-api/passphraseBytes.ts";
import { openBackup, sealBackup } from "./backupFile.ts";
import type { Argon2id } from "./passphraseKey.ts";
import { cheapArgon2id } from "./testkit/cheapArgon2id.ts";

const PASSPHRASE = "correct horse battery";
const NETWORK = { digest: "ab".repeat(32), name: "net-1" };
const FACTS = { birthday: { day: 20_000 }, birthdayGuessed: false };
const SEED = Uint8Array.from({ length: 32 }, (_, index) => index * 7 + 1);

/** The real one, for what is stored. */
const realArgon2id: Argon2id = (passphrase, salt, m, t) =>
  nobleArgon2id(passphrase, salt, { m, t, p: 1, dkLen: 32 });
const never: Argon2id = () => {
  throw new Error("must not be called");
};
const cost = { memoryKib: PAGE_LIMITS.vaultKdfMemoryMinKib, passes: PAGE_LIMITS.vaultKdfPassesMin };
const secretOf = (text: string) => new Secret(passphraseBytes(text));

const ANNOTATIONS: BackupAnnotations = {
  contacts: '{"contacts":[["svc:a","Ann",["I am Ann","1000"]]],"version":1}',
  labels: '{"labels":[[7,"shop"]],"version":1}',
  "payment-labels": '{"labels":[["ab","for the roof"]],"version":1}',
};

/** A file that an earlier program wrote. */
function storedFile(name: string): string {
  const json = readFileSync(new URL(`../../tests/vectors/${name}`, import.meta.url), "utf8");
  return v.parse(v.object({ text: v.string() }), JSON.parse(json)).text;
}

const stored = storedFile("wallet-backup.json");
const storedWithAnnotations = storedFile("wallet-backup-2.json");

const bytesOf = (text: string) => new TextEncoder().encode(text);
const open = (
  text: string,
  passphrase = PASSPHRASE,
  network = NETWORK.digest,
  kdf = cheapArgon2id,
) => openBackup(bytesOf(text), { network, passphrase: secretOf(passphrase) }, kdf);

/** What is wrong with a file, found before any work. */
function reasonOf(text: string, network = NETWORK.digest): string {
  try {
    open(text, PASSPHRASE, network, never);
  } catch (error) {
    if (SvcError.is(error, "wallet/bad-backup")) return String(error.data["reason"]);
    throw error;
  }
  return "none";
}

/** The stored file with another header and the check that belongs to it, as a forger makes it. */
function withHeader(change: (header: string) => string, from = stored): string {
  const file = JSON.parse(from);
  const header = change(file.header);
  expect(header).not.toBe(file.header);
  const check = encodeHex(sha256(bytesOf(header + file.sealed)).subarray(0, 8));
  return JSON.stringify({ ...file, header, check });
}

/** A file of these annotations, as this program writes it. */
function written(annotations: BackupAnnotations): string {
  const parts = { network: NETWORK, passphrase: secretOf(PASSPHRASE) };
  const seed = new Secret(SEED.slice());
  return new TextDecoder().decode(
    sealBackup({ seed, facts: FACTS, annotations }, parts, cheapArgon2id, cost),
  );
}

/** A record of so many bytes. */
const recordOf = (length: number) => ({ ...NO_ANNOTATIONS, "payment-labels": "x".repeat(length) });

describe("a backup file", () => {
  test.each([
    ["1, without annotations,", stored, NO_ANNOTATIONS],
    ["2", storedWithAnnotations, ANNOTATIONS],
  ])("of version %s opens with its passphrase", (_, text, annotations) => {
    const { seed, ...content } = open(text, PASSPHRASE, NETWORK.digest, realArgon2id);
    expect(seed.reveal((bytes) => bytes.slice())).toEqual(SEED);
    expect(content).toEqual({ facts: FACTS, annotations });
  });

  test("gives back the annotations, and holds none of them in clear", () => {
    const text = written(ANNOTATIONS);
    expect(open(text).annotations).toEqual(ANNOTATIONS);
    expect(text).not.toMatch(/Ann|shop|roof/);
    const hex = (word: string) => Buffer.from(word).toString("hex");
    for (const word of ["Ann", "shop", "roof"]) expect(text).not.toContain(hex(word));
  });

  test("is as long with a few annotations as without any", () => {
    expect(written(ANNOTATIONS)).toHaveLength(written(NO_ANNOTATIONS).length);
  });

  test("takes all the annotations that a wallet gives it, and one that nobody would read is not written", () => {
    const most = recordOf(PAGE_LIMITS.backupAnnotationsBytes);
    expect(open(written(most)).annotations).toEqual(most);
    const writing = () => written(recordOf(PAGE_LIMITS.backupFileBytes / 2));
    expect(codeOf(writing)).toBe("wallet/bad-backup");
  });

  test("that lies about what it holds is refused", () => {
    // One of the new version without annotations, sealed by whoever knows the passphrase.
    const lie = Object.assign({}, ANNOTATIONS, { labels: 7 });
    expect(codeOf(() => open(written(lie)))).toBe("wallet/bad-backup");
    // The version is authenticated.
    const older = withHeader(
      (header) => header.replace('"version":2', '"version":1'),
      storedWithAnnotations,
    );
    expect(codeOf(() => open(older))).toBe("wallet/wrong-passphrase");
  });

  test("gives back what was sealed, and holds nothing of it in clear", () => {
    const parts = { network: NETWORK, passphrase: secretOf(PASSPHRASE) };
    const seed = new Secret(SEED.slice());
    const facts = { birthday: "genesis", birthdayGuessed: false } as const;
    const contents = { seed, facts, annotations: NO_ANNOTATIONS };
    const text = new TextDecoder().decode(sealBackup(contents, parts, cheapArgon2id, cost));
    expect(text).not.toContain(encodeHex(SEED));
    expect(text).not.toContain("genesis");
    expect(open(text).facts).toEqual(facts);
    expect(codeOf(() => open(text, "correct horse batterx"))).toBe("wallet/wrong-passphrase");
  });

  test("that is damaged anywhere is said to be damaged, before any work", () => {
    for (let at = 3; at < stored.length - 3; at += 11) {
      const character = stored[at] === "0" ? "1" : "0";
      const damaged = stored.slice(0, at) + character + stored.slice(at + 1);
      expect(reasonOf(damaged)).toMatch(/^it is (damaged|no backup of this wallet)$/);
    }
    for (const length of [0, 1, 40, stored.length - 20]) {
      expect(reasonOf(stored.slice(0, length))).toMatch(/^it is/);
    }
  });

  test("of somebody else, of another network or of a newer program is named as such", () => {
    expect(reasonOf("not json")).toBe("it is no backup of this wallet");
    expect(reasonOf("[]")).toBe("it is no backup of this wallet");
    expect(reasonOf("null")).toBe("it is no backup of this wallet");
    expect(reasonOf('{"magic":"svc-wallet-backup"}')).toMatch(/wallet daemon/);
    expect(reasonOf(stored, "cd".repeat(32))).toBe("it is of another network, net-1");
    const newer = withHeader((header) => header.replace('"version":1', '"version":3'));
    expect(reasonOf(newer)).toBe("a newer program wrote it");
  });

  test("cannot be relabelled for another network", () => {
    const forged = withHeader((header) => header.replace("abab", "cdab"));
    const network = `cd${"ab".repeat(31)}`;
    expect(codeOf(() => open(forged, PASSPHRASE, network))).toBe("wallet/wrong-passphrase");
  });

  test("cannot ask for a cheap or a ruinous derivation, nor be endless", () => {
    for (const memory of [8, PAGE_LIMITS.vaultKdfMemoryMaxKib + 1]) {
      const change = (header: string) => header.replace(/"memoryKib":\d+/, `"memoryKib":${memory}`);
      expect(reasonOf(withHeader(change))).toBe("its header cannot be read");
    }
    expect(reasonOf(stored.padEnd(PAGE_LIMITS.backupFileBytes + 1))).toBe("it is too large");
  });
});
