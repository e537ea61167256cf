import { hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { argon2id as nobleArgon2id } from "@noble/hashes/argon2.js";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { NO_ANNOTATIONS } from "../wallet-api/backupAnnotations.ts";
import { passphraseBytes } from "../wallet-api/passphraseBytes.ts";
import type { VaultHolds } from "../wallet-api/vaultHolds.ts";
import type { VaultRecord } from "../wallet-api/vaultRecord.ts";
import { sealBackup } from "./backupFile.ts";
import { deviceQuestion } from "./deviceSlot.ts";
import type { Argon2id } from "./passphraseKey.ts";
import { cheapArgon2id } from "./testkit/cheapArgon2id.ts";
import {
  addDevice,
  createVault,
  openByDevice,
  openVault,
  readVaultHeader,
  rewrapVault,
} from "./vault.ts";

const hex = v.pipe(
  v.string(),
  v.transform((text) => new Uint8Array(decodeHex(text))),
);
const stored = v.parse(
  v.object({
    version1: v.object({
      passphrase: v.string(),
      header: v.string(),
      passSlot: hex,
      sealedSeed: hex,
      seed: v.string(),
      dataKey: v.string(),
    }),
    deviceSlot1: v.object({ header: v.string(), sealed: hex, secret: hex }),
  }),
  JSON.parse(readFileSync(new URL("../../tests/vectors/vault.json", import.meta.url), "utf8")),
);
/** A vault that an earlier program stored, which knew no slot of a device. */
const OLD: VaultRecord = {
  header: stored.version1.header,
  passSlot: stored.version1.passSlot,
  seed: stored.version1.sealedSeed,
};
const { passphrase: PASSPHRASE } = stored.version1;
const QUESTION = {
  credential: Uint8Array.from({ length: 20 }, (_, index) => index),
  prfSalt: new Uint8Array(32).fill(9),
};
const SECRET = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);

/** The real one, for what is stored. */
const realArgon2id: Argon2id = (passphrase, salt, m, t) =>
  nobleArgon2id(passphrase, salt, { m, t, p: 1, dkLen: 32 });
const cost = { memoryKib: PAGE_LIMITS.vaultKdfMemoryMinKib, passes: PAGE_LIMITS.vaultKdfPassesMin };
const secretOf = (text: string) => new Secret(passphraseBytes(text));
const keysOf = ({ seed, dataKey }: { readonly seed: Secret; readonly dataKey: Secret }) => ({
  seed: seed.reveal(encodeHex),
  dataKey: dataKey.reveal(encodeHex),
});
const OLD_KEYS = { seed: stored.version1.seed, dataKey: stored.version1.dataKey };
/** A vault as it is made today. */
const MADE = createVault(
  {
    seed: new Secret(decodeHex(OLD_KEYS.seed, 32)),
    passphrase: secretOf(PASSPHRASE),
    network: "cd".repeat(32),
  },
  cheapArgon2id,
  cost,
);
const VAULT = MADE.record;
const KEYS = keysOf(MADE.open);

/** The vault with a slot for a device that answers with this secret. */
function withDevice(record = VAULT, secret = SECRET, passphrase = PASSPHRASE): VaultRecord {
  const device = { ...QUESTION, secret: new Secret(secret.slice()) };
  return addDevice(record, { ...device, passphrase: secretOf(passphrase) }, cheapArgon2id);
}

function byDevice(record: VaultRecord, secret = SECRET) {
  const open = openByDevice(record, new Secret(secret.slice()));
  return open === null ? null : keysOf(open);
}

const byPassphrase = (record: VaultRecord, passphrase = PASSPHRASE) =>
  keysOf(openVault(record, secretOf(passphrase), cheapArgon2id));

/** The slot with another header, as somebody who can write to the store would leave it. */
function headed(record: VaultRecord, change: (header: Record<string, unknown>) => object) {
  const { deviceSlot } = record;
  if (deviceSlot === undefined) throw new Error("no slot");
  const header = JSON.stringify(change(JSON.parse(deviceSlot.header)));
  return { ...record, deviceSlot: { ...deviceSlot, header } };
}

describe("the slot of a device", () => {
  test("opens the vault with the device's secret, and the passphrase opens it as before", () => {
    const record = withDevice();
    expect(byDevice(record)).toEqual(KEYS);
    expect(byPassphrase(record)).toEqual(KEYS);
    expect({ ...record, deviceSlot: undefined }).toEqual({ ...VAULT, deviceSlot: undefined });
  });

  test("is missing in a vault that an earlier program stored, which opens by its passphrase alone", () => {
    expect(byDevice(OLD)).toBeNull();
    expect(keysOf(openVault(OLD, secretOf(PASSPHRASE), realArgon2id))).toEqual(OLD_KEYS);
  });

  test("that this version once stored opens for ever", () => {
    const { secret, ...deviceSlot } = stored.deviceSlot1;
    expect(byDevice({ ...OLD, deviceSlot }, secret)).toEqual(OLD_KEYS);
  });

  test("is sealed as the specification says, by somebody else's HKDF", () => {
    const { deviceSlot } = withDevice();
    if (deviceSlot === undefined) throw new Error("no slot");
    const header: { kdf: { salt: string } } = JSON.parse(deviceSlot.header);
    const salt = decodeHex(header.kdf.salt);
    const key = new Uint8Array(hkdfSync("sha256", SECRET, salt, "svc/slot/device", 32));
    const { id, network } = readVaultHeader(VAULT);
    const aad = `device\0${JSON.stringify({ id, network, holds: "seed" })}\0${deviceSlot.header}`;
    const { sealed } = deviceSlot;
    const cipher = xchacha20poly1305(key, sealed.subarray(1, 25), new TextEncoder().encode(aad));
    expect(cipher.decrypt(sealed.subarray(25))).toHaveLength(32);
  });

  test("needs the passphrase to be added, and another salt each time", () => {
    expect(codeOf(() => withDevice(VAULT, SECRET, "not the passphrase"))).toBe(
      "wallet/wrong-passphrase",
    );
    const [one, other] = [withDevice(), withDevice()].map(({ deviceSlot }) => deviceSlot?.header);
    expect(one).not.toBe(other);
    expect(codeOf(() => withDevice(VAULT, SECRET.subarray(1)))).toBe("internal/unexpected");
  });

  test("holds neither secret nor keys in clear", () => {
    const { deviceSlot } = withDevice();
    const text = `${deviceSlot?.header}${encodeHex(deviceSlot?.sealed ?? new Uint8Array())}`;
    for (const secret of [encodeHex(SECRET), KEYS.seed, KEYS.dataKey]) {
      expect(text).not.toContain(secret);
    }
  });

  test("stays right when the passphrase is changed, and then again", () => {
    const next = "another passphrase";
    const change = { passphrase: secretOf(PASSPHRASE), next: secretOf(next) };
    const changed = rewrapVault(withDevice(), change, cheapArgon2id, cost);
    expect(byDevice(changed)).toEqual(KEYS);
    expect(byPassphrase(changed, next)).toEqual(KEYS);
    expect(codeOf(() => byPassphrase(changed))).toBe("wallet/wrong-passphrase");
    const plain = { passphrase: secretOf(PASSPHRASE), next: secretOf(next) };
    expect(rewrapVault(VAULT, plain, cheapArgon2id, cost)).not.toHaveProperty("deviceSlot");
  });

  test("names the passkey and the salt to ask the authenticator with", () => {
    const { deviceSlot } = withDevice();
    if (deviceSlot === undefined) throw new Error("no slot");
    expect(deviceQuestion(deviceSlot)).toEqual(QUESTION);
  });

  test("is not in a backup file", () => {
    const record = withDevice();
    const open = openByDevice(record, new Secret(SECRET.slice()));
    if (open === null) throw new Error("it did not open");
    const facts = { birthday: "genesis", birthdayGuessed: false } as const;
    const network = { digest: open.network, name: "local" };
    const words = { network, passphrase: secretOf(PASSPHRASE) };
    const file = new TextDecoder().decode(
      sealBackup(
        { seed: open.seed, facts, annotations: NO_ANNOTATIONS },
        words,
        cheapArgon2id,
        cost,
      ),
    );
    expect(file).not.toMatch(/device|slot/i);
    expect(file).not.toContain(encodeHex(QUESTION.credential));
  });
});

describe("a slot that is not the device's", () => {
  test("does not open with another secret", () => {
    expect(byDevice(withDevice(), withFlippedBit(SECRET, 10))).toBeNull();
  });

  test.each(["seed", "full-viewing-key"] as const satisfies readonly VaultHolds[])(
    "of another vault, one of a %s, does not open in this one",
    (holds) => {
      const seed = new Secret(new Uint8Array(holds === "seed" ? 32 : 96).fill(5));
      const passphrase = secretOf(PASSPHRASE);
      const contents = { holds, seed, passphrase, network: "ab".repeat(32) };
      const other = withDevice(createVault(contents, cheapArgon2id, cost).record);
      expect(byDevice(other)).not.toBeNull();
      const { deviceSlot } = other;
      if (deviceSlot === undefined) throw new Error("no slot");
      const swapped = { ...VAULT, deviceSlot };
      expect(byDevice(swapped)).toBeNull();
      expect(byPassphrase(swapped)).toEqual(KEYS);
    },
  );

  test("does not open as the passphrase's, nor the passphrase's as it", () => {
    const record = withDevice();
    const { deviceSlot } = record;
    if (deviceSlot === undefined) throw new Error("no slot");
    expect(codeOf(() => byPassphrase({ ...record, passSlot: deviceSlot.sealed }))).toBe(
      "wallet/wrong-passphrase",
    );
    const sealed = record.passSlot;
    expect(byDevice({ ...record, deviceSlot: { ...deviceSlot, sealed } })).toBeNull();
  });

  test.each([
    ["another salt of the key", { kdf: { algorithm: "hkdf-sha256", salt: "00".repeat(32) } }],
    ["another salt of the secret", { prfSalt: "00".repeat(32) }],
    ["another passkey", { credential: "00" }],
  ])("with %s does not open, and the passphrase does", (_, change) => {
    const record = headed(withDevice(), (header) => ({ ...header, ...change }));
    expect(byDevice(record)).toBeNull();
    expect(byPassphrase(record)).toEqual(KEYS);
  });

  test("with any damaged byte does not open, and the passphrase does", () => {
    const record = withDevice();
    const { deviceSlot } = record;
    if (deviceSlot === undefined) throw new Error("no slot");
    for (let byte = 1; byte < deviceSlot.sealed.length; byte += 1) {
      const sealed = withFlippedBit(deviceSlot.sealed, byte);
      expect(byDevice({ ...record, deviceSlot: { ...deviceSlot, sealed } })).toBeNull();
    }
    const damaged = { ...record, deviceSlot: { ...deviceSlot, sealed: new Uint8Array([1]) } };
    expect(byDevice(damaged)).toBeNull();
    expect(byPassphrase(damaged)).toEqual(KEYS);
  });

  test.each([
    ["no header", () => ({}), "store/corrupt"],
    ["a newer version", (header: object) => ({ ...header, version: 2 }), "store/version"],
    ["a field more", (header: object) => ({ ...header, more: 1 }), "store/corrupt"],
    ["a short salt", (header: object) => ({ ...header, prfSalt: "00" }), "store/corrupt"],
    [
      "a flood for a passkey",
      (header: object) => ({ ...header, credential: "00".repeat(1_024) }),
      "store/corrupt",
    ],
  ])("of %s is refused by its code, and the passphrase opens the vault", (_, change, code) => {
    const record = headed(withDevice(), change);
    expect(codeOf(() => byDevice(record))).toBe(code);
    expect(byPassphrase(record)).toEqual(KEYS);
    const plain = { passphrase: secretOf(PASSPHRASE), next: secretOf("another passphrase") };
    expect(
      byPassphrase(rewrapVault(record, plain, cheapArgon2id, cost), "another passphrase"),
    ).toEqual(KEYS);
  });

  test.each([[null], ["text"], [{ header: 1 }], [{ header: "{}", sealed: "text" }]])(
    "%j is refused, and the passphrase opens the vault",
    (deviceSlot) => {
      const record: VaultRecord = { ...VAULT };
      Reflect.set(record, "deviceSlot", deviceSlot);
      expect(codeOf(() => byDevice(record))).toBe("store/corrupt");
      expect(byPassphrase(record)).toEqual(KEYS);
    },
  );

  test("opens no vault whose header or seed was changed", () => {
    const record = withDevice();
    const header = record.header.replace('"passes":2', '"passes":3');
    expect(header).not.toBe(record.header);
    expect(codeOf(() => byDevice({ ...record, header }))).toBe("store/corrupt");
    const seed = withFlippedBit(record.seed, record.seed.length - 1);
    expect(codeOf(() => byDevice({ ...record, seed }))).toBe("store/corrupt");
  });
});
