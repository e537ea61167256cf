/** Fields that rows of the index share: hashes, short byte strings, wide numbers. All little endian. */
import { asBlockHash, asTxId, type BlockHash, type TxId } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { RowCodec } from "../../storage/rows/rowTable.ts";

/** Bytes of a hash. */
export const HASH_BYTES = 32;
const HALF = 64n;
const LOW = (1n << HALF) - 1n;

/** Makes a codec from the way a row is written and read. Decoding reads every byte or throws. */
export function bytesCodec<T>(
  write: (writer: ByteWriter, row: T) => void,
  read: (reader: ByteReader) => T,
): RowCodec<T> {
  return {
    encode(row) {
      const writer = new ByteWriter(256);
      write(writer, row);
      return writer.toBytes();
    },
    decode(body) {
      const reader = new ByteReader(body);
      const row = read(reader);
      reader.finish();
      return row;
    },
  };
}

/** Writes a hash. */
export function writeHash(writer: ByteWriter, hash: string): void {
  writer.raw(decodeHex(hash));
}

/** Reads the hash of a block. */
export function readBlockHash(reader: ByteReader): BlockHash {
  return asBlockHash(encodeHex(reader.take(HASH_BYTES)));
}

/** Reads the id of a transaction. */
export function readTxId(reader: ByteReader): TxId {
  return asTxId(encodeHex(reader.take(HASH_BYTES)));
}

/** Writes a list behind its length (u32). */
export function writeList<T>(
  writer: ByteWriter,
  items: readonly T[],
  write: (item: T) => void,
): void {
  writer.u32(items.length);
  for (const item of items) write(item);
}

/** Reads a list that `writeList` wrote, of items that have so many bytes at least. */
export function readList<T>(reader: ByteReader, least: number, read: () => T): T[] {
  const count = reader.checkCount(reader.u32(), Number.MAX_SAFE_INTEGER, least);
  return Array.from({ length: count }, read);
}

/** Writes a number below 2¹²⁸. */
export function writeU128(writer: ByteWriter, value: bigint): void {
  writer.u64(value & LOW).u64(value >> HALF);
}

/** Reads a number below 2¹²⁸. */
export function readU128(reader: ByteReader): bigint {
  return reader.u64() | (reader.u64() << HALF);
}

/** Writes text behind its length (u32). */
export function writeText(writer: ByteWriter, text: string): void {
  writer.block(new TextEncoder().encode(text));
}

/** Reads text that `writeText` wrote. */
export function readText(reader: ByteReader): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(reader.block());
}

/** Writes a number with decimals. */
export function writeF64(writer: ByteWriter, value: number): void {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  writer.u64(bytes.getBigUint64(0));
}

/** Reads a number with decimals. */
export function readF64(reader: ByteReader): number {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, reader.u64());
  return bytes.getFloat64(0);
}

/** One of a list of words by its number. Throws a `TypeError` for a number that has none. */
export function wordOf<W extends string>(words: readonly W[], number: number): W {
  const word = words[number];
  if (word === undefined) throw new TypeError(`no word ${number}`);
  return word;
}
