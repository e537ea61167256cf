/** Reads and writes rows of the index in the common form of rows (docs/formats.md 9): version, sum over place and content, content. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { KvPair } from "../../storage/kv.ts";
import { readRow, writeRow } from "../../storage/rows/rowForm.ts";
import type { RowCodec } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { StoreReader } from "../../storage/rows/storeKeys.ts";

/** The row of a key, or undefined. Throws `store/corrupt` for a damaged one. */
export function getRow<T>(
  reader: StoreReader,
  table: number,
  key: Uint8Array,
  codec: RowCodec<T>,
): T | undefined {
  const value = reader.get(table, key);
  return value === undefined ? undefined : openPair(table, { key, value }, codec);
}

/** The row of a pair. Throws `store/corrupt` for a damaged one. */
export function openPair<T>(table: number, { key, value }: KvPair, codec: RowCodec<T>): T {
  try {
    return codec.decode(readRow({ table, key }, value).body);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "content";
    throw new SvcError("store/corrupt", { table: `index ${table}`, reason }, cause);
  }
}

/** What a read gives; undefined for a damaged row, of a table that is kept although parts of it are lost. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (SvcError.is(SvcError.from(thrown), "store/corrupt")) return undefined;
    throw thrown;
  }
}

/** Writes a row. */
export function putRow<T>(
  batch: StoreBatch,
  { table, key, codec }: { table: number; key: Uint8Array; codec: RowCodec<T> },
  row: T,
): void {
  batch.put(table, key, writeRow({ table, key }, codec.encode(row), null));
}
