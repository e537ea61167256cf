/**
 * Forms of the reference implementation: its wallet file and the blob in which it seals a seed.
 *
 * Blob: salt 16 ‖ nonce 24 ‖ ciphertext 32 ‖ tag 16, XChaCha20-Poly1305 without associated data, the key by Argon2id with the
 * library's defaults. A file that somebody brought over is read as it is, and becomes one of ours when it is first changed.
 */
import * as v from "valibot";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { kdfOf, SALT_BYTES, STANDARD_COST, type Kdf } from "./derivedKeys.ts";
import { openBytes, sealBytes } from "./sealedBytes.ts";
import { NONCE_BYTES, TAG_BYTES } from "./xchachaPoly.ts";
import type { ParsedWallet, WalletContent } from "./walletFile.ts";

const NEWEST = 2;
const SEED_BYTES = 32;
/** Bytes of a sealed seed. */
const BLOB_BYTES = SALT_BYTES + NONCE_BYTES + SEED_BYTES + TAG_BYTES;
const NO_CONTEXT = new Uint8Array(0);

const hexOf = (bytes: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`)));

const common = {
  network: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
  birthday: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  recoverable_history: v.optional(v.boolean(), false),
};
const watchForm = v.object({ ...common, version: v.literal(NEWEST), fvk_hex: hexOf(96) });
const sealedForm = v.object({
  ...common,
  version: v.literal(1),
  encrypted: v.literal(true),
  seed_hex: hexOf(BLOB_BYTES),
});
const plainForm = v.object({
  ...common,
  version: v.literal(1),
  encrypted: v.literal(false),
  seed_hex: hexOf(SEED_BYTES),
});
const fileForm = v.union([watchForm, sealedForm, plainForm]);
const markForm = v.object({ version: v.number(), seed_hex: v.optional(v.string()) });

/** Reads parsed JSON. Throws `wallet/file-damaged`, `wallet/file-version`. */
export function readReferenceWallet(json: unknown, file: string): ParsedWallet {
  const mark = v.safeParse(markForm, json);
  if (mark.success && mark.output.version > NEWEST) {
    throw new SvcError("wallet/file-version", {
      file,
      expected: NEWEST,
      found: mark.output.version,
    });
  }
  const read = v.safeParse(fileForm, json);
  if (!read.success) {
    throw new SvcError("wallet/file-damaged", { file, reason: "it is no wallet file" });
  }
  const { network, birthday, recoverable_history } = read.output;
  const kind = "fvk_hex" in read.output ? "watch" : "seed";
  const facts = {
    // No scan of ours belongs to it.
    id: "0".repeat(32),
    network,
    kind,
    birthday: asDaaScore(BigInt(birthday)),
    bornOn: null,
    recoverableHistory: recoverable_history,
    createdUnix: null,
  } as const;
  if ("fvk_hex" in read.output) {
    return { form: "reference", facts, sealing: null, content: decodeHex(read.output.fvk_hex) };
  }
  const content = decodeHex(read.output.seed_hex);
  return {
    form: "reference",
    facts,
    sealing: read.output.encrypted ? blobKdf(content) : null,
    content,
  };
}

/** Opens the content of a file of the reference; null when the key is another or the file was changed. */
export function openReferenceWallet(
  parsed: ParsedWallet,
  key: Secret | null,
): WalletContent | null {
  const seed = key === null ? new Secret(parsed.content.slice()) : openBlob(parsed.content, key);
  return seed === null ? null : { key: seed, dataKey: null, addresses: [] };
}

/** Parameters of the key of a blob. Throws `codec/wrong-length`. */
export function blobKdf(blob: Uint8Array): Kdf {
  if (blob.length !== BLOB_BYTES) {
    throw new SvcError("codec/wrong-length", { expected: BLOB_BYTES, found: blob.length });
  }
  return kdfOf(STANDARD_COST, blob.subarray(0, SALT_BYTES));
}

/** Opens a blob under the key of `blobKdf`; null when the key is another or a byte was changed. */
export function openBlob(blob: Uint8Array, key: Secret): Secret | null {
  const seed = openBytes(key, NO_CONTEXT, blob.subarray(SALT_BYTES));
  return seed === null ? null : new Secret(seed);
}

/** Seals a seed into a blob. `keyOf` derives the key for the parameters that it is given. */
export function sealBlob(seed: Secret, keyOf: (kdf: Kdf) => Secret): Uint8Array<ArrayBuffer> {
  const kdf = kdfOf(STANDARD_COST);
  const sealed = seed.reveal((bytes) => sealBytes(keyOf(kdf), NO_CONTEXT, bytes));
  return concatBytes(decodeHex(kdf.salt), sealed);
}
