/**
 * Write batches of the crash test: each spans tables and segment files, removes what an older one wrote, and can be checked
 * for atomicity.
 */
import type { KvChange, KvReader } from "@svc/node-server/storage/kv.ts";
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

/** Bodies of this many batches are there; older ones go, as pruning takes them. */
export const KEPT_BATCHES = 12;

const BODIES = 3;
const RECORDS = 20;

function bodies(number: number): KvChange[] {
  return Array.from({ length: 3 }, (_, item) => ({
    table: BODIES,
    key: numbered(number, item),
    value: large(number, item),
  }));
}

/** The rows of batch `number` that later ones do not touch. */
function lasting(number: number): KvChange[] {
  const changes: KvChange[] = [];
  for (let item = 0; item < SMALL; item += 1) {
    const key = numbered(number, item);
    changes.push({ table: 5, key, value: key }, { table: 6, key, value: key });
  }
  changes.push({ table: RECORDS, key: numbered(number, 0), value: large(number, 9) });
  return changes;
}

/** Batch `number`: small rows in two tables, a record, three bodies, three old bodies gone, its number last. */
export function batchOf(number: number): KvChange[] {
  const old = number > KEPT_BATCHES ? bodies(number - KEPT_BATCHES) : [];
  return [
    ...lasting(number),
    ...bodies(number),
    ...old.map(({ table, key }) => ({ table, key, value: null })),
    { table: 1, key: LAST, value: numbered(number, 0) },
  ];
}

/** The number of the last batch a store holds, 0 for none. */
export function lastBatch(store: KvReader): number {
  const value = store.get(1, LAST);
  return value === undefined ? 0 : new DataView(value.buffer, value.byteOffset).getUint32(0);
}

/** Every row that batches 1..last leave is present and intact, and no other: null, or what is wrong. */
export function findTorn(store: KvReader): string | null {
  const last = lastBatch(store);
  const oldest = Math.max(1, last - KEPT_BATCHES + 1);
  for (let number = 1; number <= last; number += 1) {
    for (const { table, key, value } of [...lasting(number), ...bodies(number)]) {
      const stored = store.get(table, key);
      const gone = table === BODIES && number < oldest;
      const right = gone
        ? stored === undefined
        : stored !== undefined && value !== null && equalBytes(stored, value);
      if (!right) return `batch ${number} of ${last}, table ${table}`;
    }
  }
  for (const table of [BODIES, 5, 6, RECORDS]) {
    const later = { table, from: numbered(last + 1, 0), to: numbered(0xffff_ffff, 0), limit: 1 };
    if (store.range(later).length > 0) return `table ${table} holds rows behind batch ${last}`;
  }
  return null;
}
