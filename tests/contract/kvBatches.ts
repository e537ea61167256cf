/** The batches of the kill test: each spans tables and segment files and can be recognised whole. */
import type { Kv, KvChange } from "@svc/node-server/storage/kv.ts";
import { equalBytes } from "@svc/shared/base/bytes.ts";

const SMALL = 20;
const LAST = Uint8Array.of(0);

function numbered(number: number, item: number): Uint8Array {
  const key = new Uint8Array(8);
  const view = new DataView(key.buffer);
  view.setUint32(0, number);
  view.setUint32(4, item);
  return key;
}

function large(number: number, item: number): Uint8Array {
  const value = new Uint8Array(1500 + ((number * 7919 + item * 104_729) % 6000));
  for (let i = 0; i < value.length; i += 1) value[i] = (number * 131 + item * 17 + i * 3) & 0xff;
  return value;
}

/** Batch `number`: 20 small rows in each of two tables, 3 large rows, its number as the last one. */
export function batchOf(number: number): KvChange[] {
  const changes: KvChange[] = [];
  for (let item = 0; item < SMALL; item += 1) {
    const key = numbered(number, item);
    changes.push({ table: 5, key, value: key }, { table: 6, key, value: key });
  }
  for (let item = 0; item < 3; item += 1) {
    changes.push({ table: 3, key: numbered(number, item), value: large(number, item) });
  }
  changes.push({ table: 1, key: LAST, value: numbered(number, 0) });
  return changes;
}

/** The number of the last batch a store holds, 0 for none. */
export function lastBatch(store: Kv): number {
  const value = store.get(1, LAST);
  return value === undefined ? 0 : new DataView(value.buffer, value.byteOffset).getUint32(0);
}

/** Every row of batches 1..last is present and intact, and no row of a later one: null, or what is wrong. */
export function findTorn(store: Kv): string | null {
  const last = lastBatch(store);
  for (let number = 1; number <= last; number += 1) {
    for (const { table, key, value } of batchOf(number)) {
      if (table === 1 || value === null) continue;
      const stored = store.get(table, key);
      if (stored === undefined || !equalBytes(stored, value))
        return `batch ${number} table ${table}`;
    }
  }
  for (const table of [3, 5, 6]) {
    const later = { table, from: numbered(last + 1, 0), to: numbered(0xffff_ffff, 0), limit: 1 };
    if (store.range(later).length > 0) return `table ${table} holds rows behind batch ${last}`;
  }
  return null;
}
