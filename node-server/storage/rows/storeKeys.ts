/** Keys of tables of rows: numbers big endian, a name (such as a wallet's token) behind its length. */
import { createHash } from "node:crypto";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { KEYS_END, type KvPair, type KvRange, type KvReader } from "../kv.ts";
import { STORAGE_LIMITS } from "../storageLimits.ts";

/** Read access to the store, or to a batch that is being made. */
export type StoreReader = Pick<KvReader, "get" | "range">;

/** One byte holds the length of a name. */
const NAME_BYTES_MOST = 0xff;

/** The bytes that the keys of a name begin with, and those of no other name. Throws `internal/unexpected` for one too long for a key. */
export function nameKey(name: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(name);
  if (bytes.length === 0 || bytes.length > NAME_BYTES_MOST) {
    throw new SvcError("internal/unexpected", { message: `a name of ${bytes.length} bytes` });
  }
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}

/** Splits a key that begins with a name: the name, and what stands behind it. Null for another key. */
export function readNameKey(key: Uint8Array): { name: string; rest: Uint8Array } | null {
  const [length = 0] = key;
  if (length === 0 || key.length < 1 + length) return null;
  const name = new TextDecoder().decode(key.subarray(1, 1 + length));
  return { name, rest: key.subarray(1 + length) };
}

/** A number of 64 bits, big endian. */
export function numberKey(value: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** The number that `numberKey` wrote at the beginning of these bytes; null where too few are left. */
export function readNumberKey(bytes: Uint8Array): bigint | null {
  if (bytes.length < 8) return null;
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0);
}

/** SHA-256 of a text: a key of fixed length for one of any length. */
export function textKey(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text, "utf8").digest());
}

/** All keys that begin with these bytes. */
export function keysFrom(prefix: Uint8Array): Pick<KvRange, "from" | "to"> {
  return { from: prefix, to: concatBytes(prefix, KEYS_END.subarray(prefix.length)) };
}

/** The next key that there can be. */
export function keyAfter(key: Uint8Array): Uint8Array {
  return concatBytes(key, Uint8Array.of(0));
}

/** The pairs of a table whose keys begin with these bytes, as `pairsIn` gives them. */
export function pairsFrom(
  reader: StoreReader,
  table: number,
  prefix: Uint8Array,
): Generator<KvPair, void> {
  return pairsIn(reader, { table, ...keysFrom(prefix) });
}

/** Number of rows of a table. */
export function countOf(reader: StoreReader, table: number): number {
  let count = 0;
  for (const _pair of pairsFrom(reader, table, Uint8Array.of())) count += 1;
  return count;
}

/** The pairs of a range, ascending, read a page at a time; of what is written meanwhile, what lies ahead is among them. */
export function* pairsIn(
  reader: StoreReader,
  { table, from, to }: Pick<KvRange, "table" | "from" | "to">,
): Generator<KvPair, void> {
  const limit = STORAGE_LIMITS.storePageRows;
  for (let next = from; ;) {
    const page = reader.range({ table, from: next, to, limit });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    next = keyAfter(last.key);
  }
}
