/** Codec of write batches and range answers between the engine and its host (docs/formats.md 3, `HostStore`). */
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { KvChange, KvPair } from "../../storage/kv.ts";

const PUT = 1;
const DELETE = 2;

/** Reads a batch: repeated { op u8, table u8, keyLen u32, key, [valueLen u32, value] }. Errors: `engine/bad-call`, `codec/…`. */
export function decodeBatch(bytes: Uint8Array): KvChange[] {
  const reader = new ByteReader(bytes);
  const changes: KvChange[] = [];
  while (reader.remaining > 0) {
    const operation = reader.u8();
    if (operation !== PUT && operation !== DELETE) {
      throw new SvcError("engine/bad-call", { reason: `batch operation ${operation}` });
    }
    const table = reader.u8();
    const key = reader.block();
    changes.push({ table, key, value: operation === PUT ? reader.block() : null });
  }
  return changes;
}

/** Writes a batch; the inverse of [`decodeBatch`], for stores filled without an engine. */
export function encodeBatch(changes: readonly KvChange[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  for (const { table, key, value } of changes) {
    writer
      .u8(value === null ? DELETE : PUT)
      .u8(table)
      .block(key);
    if (value !== null) writer.block(value);
  }
  return writer.toBytes();
}

/** Writes the answer to a range: repeated { keyLen u32, key, valueLen u32, value }. */
export function encodePairs(pairs: readonly KvPair[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  for (const { key, value } of pairs) writer.block(key).block(value);
  return writer.toBytes();
}
