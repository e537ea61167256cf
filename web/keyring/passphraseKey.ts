/**
 * Key derivation from a passphrase, and sealing under derived keys (specification wallet 4.2):
 * HKDF-SHA256(Argon2id(NFKC(passphrase), salt), info). The cost stands beside what was sealed and is bounded when it is read, so a
 * foreign record can be neither weak nor endless.
 */
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import * as v from "valibot";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { openRecord, sealRecord } from "./sealedRecord.ts";

/** Argon2id with one lane: 32 bytes of key. */
export type Argon2id = (
  passphrase: Uint8Array,
  salt: Uint8Array,
  memoryKib: number,
  passes: number,
) => Uint8Array;

/** Cost of a derivation. */
export type KdfCost = { readonly memoryKib: number; readonly passes: number };

/** The cost of everything that is sealed anew. */
export const STANDARD_COST: KdfCost = {
  memoryKib: PAGE_LIMITS.vaultKdfMemoryKib,
  passes: PAGE_LIMITS.vaultKdfPasses,
};

/** Form of the parameters as they are stored: cost within the bounds, salt of 16 bytes as hex. */
export const kdfForm = v.strictObject({
  algorithm: v.literal("argon2id"),
  memoryKib: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(PAGE_LIMITS.vaultKdfMemoryMinKib),
    v.maxValue(PAGE_LIMITS.vaultKdfMemoryMaxKib),
  ),
  passes: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(PAGE_LIMITS.vaultKdfPassesMin),
    v.maxValue(PAGE_LIMITS.vaultKdfPassesMax),
  ),
  salt: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

/** The checked parameters. */
export type Kdf = v.InferOutput<typeof kdfForm>;

/** Parameters of this cost with a fresh salt. */
export function newKdf(cost: KdfCost): Kdf {
  const salt = encodeHex(crypto.getRandomValues(new Uint8Array(16)));
  return { algorithm: "argon2id", ...cost, salt };
}

/** The key of a passphrase for one purpose, which `info` names. The caller erases it. */
export function passphraseKey(
  { memoryKib, passes, salt }: Kdf,
  passphrase: Secret,
  argon2id: Argon2id,
  info: string,
): Secret {
  const stretch = (bytes: Uint8Array) => argon2id(bytes, decodeHex(salt), memoryKib, passes);
  using stretched = new Secret(passphrase.reveal(stretch));
  return subKey(stretched, info);
}

/** HKDF-SHA256 of a key, 32 bytes for the purpose that `info` names. The caller erases it. */
export function subKey(key: Secret, info: string): Secret {
  const label = new TextEncoder().encode(info);
  return key.reveal((bytes) => new Secret(hkdf(sha256, bytes, undefined, label, 32)));
}

/** Seals a secret as `sealRecord` does. */
export function sealWith(key: Secret, context: Uint8Array, plain: Secret): Uint8Array<ArrayBuffer> {
  return key.reveal((bytes) => plain.reveal((secret) => sealRecord(bytes, context, secret)));
}

/** Opens a sealed secret as `openRecord` does: null when key, context or a byte is another. */
export function openWith(key: Secret, context: Uint8Array, sealed: Uint8Array): Secret | null {
  const plain = key.reveal((bytes) => openRecord(bytes, context, sealed));
  return plain === null ? null : new Secret(plain);
}
