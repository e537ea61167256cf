/** Codec of hash lists as the core takes and gives them: hashes one after the other. */
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";

const HASH_BYTES = 32;

/** Decodes a list of hashes. */
export function hashesIn(bytes: Uint8Array): BlockHash[] {
  const count = Math.floor(bytes.length / HASH_BYTES);
  return Array.from({ length: count }, (_, index) =>
    asBlockHash(encodeHex(bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))),
  );
}

/** Encodes a list of hashes. */
export function hashList(hashes: readonly BlockHash[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hashes.length * HASH_BYTES);
  hashes.forEach((hash, index) => bytes.set(decodeHex(hash), index * HASH_BYTES));
  return bytes;
}
