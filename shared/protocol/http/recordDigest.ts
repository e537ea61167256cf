/**
 * Digest of the scan records of some chain blocks, with which two nodes are compared without either sending a page twice
 * (docs/light-client.md): SHA-256 over the SHA-256 of each record, in order.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { asBlockHash, asHash32, type BlockHash, type Hash32 } from "../../base/brand.ts";
import { ByteReader, ByteWriter, concatBytes } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";

/** What a node says of its records. */
export type RecordDigest = {
  readonly count: number;
  /** The last block. */
  readonly last: BlockHash;
  readonly digest: Hash32;
};

const VERSION = 1;

/** The hash of one record. */
export function recordHash(record: Uint8Array): Uint8Array {
  return sha256(record);
}

/** The digest of records by their hashes, in order. */
export function digestOf(hashes: readonly Uint8Array[]): Hash32 {
  return asHash32(encodeHex(sha256(concatBytes(...hashes))));
}

/** Writes the answer: version u8, count u32, last block 32, digest 32. */
export function encodeRecordDigest({ count, last, digest }: RecordDigest): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(69).u8(VERSION).u32(count);
  return writer.raw(decodeHex(last, 32)).raw(decodeHex(digest, 32)).toBytes();
}

/** Reads the answer. Throws `codec/version`, `codec/…`. */
export function readRecordDigest(bytes: Uint8Array): RecordDigest {
  const reader = new ByteReader(bytes);
  const found = reader.u8();
  if (found !== VERSION) throw new SvcError("codec/version", { expected: VERSION, found });
  const count = reader.u32();
  const last = asBlockHash(encodeHex(reader.take(32)));
  const digest = asHash32(encodeHex(reader.take(32)));
  reader.finish();
  return { count, last, digest };
}
