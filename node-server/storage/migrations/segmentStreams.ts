/**
 * Migration of the engine's database, layout 1 → 2: a stream of segment files for each large table instead of one for all, and
 * a row per file that counts the references into it.
 *
 * The files stay as they are. They hold values of several tables, nobody appends to them any more, and each
 * goes when its last reference goes. New values go to new files.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { STORAGE_LIMITS } from "../storageLimits.ts";
import { HOST_TABLE, NEXT_SEGMENT_KEY } from "../hostTable.ts";
import { KEYS_END, type Kv, type KvChange, type KvReader } from "../kv.ts";
import { MIXED, nextSegmentRow, segmentRow, type Segment } from "../segmentRefCounts.ts";
import { readRow, type SegmentLocator } from "../segmentLocator.ts";
import type { Migration } from "./migration.ts";

/** The large tables of layout 1: bodies, witnesses, scan records. */
const LARGE = [3, 18, 20];

/** End of the one stream of layout 1: segment u32 ‖ length u32 (little endian). */
type Tail = { readonly segment: number; readonly length: number };

function readTail(store: KvReader): Tail {
  const row = store.get(HOST_TABLE, NEXT_SEGMENT_KEY);
  if (row === undefined) return { segment: 0, length: 0 };
  if (row.length !== 8) throw corrupt("segment tail");
  const view = new DataView(row.buffer, row.byteOffset);
  return { segment: view.getUint32(0, true), length: view.getUint32(4, true) };
}

function* locators(store: KvReader, table: number): Generator<SegmentLocator> {
  let from = new Uint8Array();
  for (;;) {
    const page = store.range({
      table,
      from,
      to: KEYS_END,
      limit: STORAGE_LIMITS.migrationPageRows,
    });
    for (const { value } of page) {
      const row = readRow(value);
      if ("locator" in row) yield row.locator;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    // The key that follows: the last one and a zero byte.
    from = new Uint8Array(last.key.length + 1);
    from.set(last.key);
  }
}

function count(store: KvReader, tail: Tail): Map<number, Segment> {
  const segments = new Map<number, Segment>();
  for (const table of LARGE) {
    for (const { segment, offset, length } of locators(store, table)) {
      const end = offset + length;
      const behind = segment > tail.segment || (segment === tail.segment && end > tail.length);
      if (behind) throw corrupt("a value lies behind the segment tail");
      const known = segments.get(segment) ?? { table: MIXED, length: 0, references: 0 };
      segments.set(segment, {
        table: MIXED,
        length: Math.max(known.length, end),
        references: known.references + 1,
      });
    }
  }
  return segments;
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "host", reason });
}

/** The migration step. One commit; a kill before it leaves layout 1, a kill after it layout 2. */
export const SEGMENT_STREAMS: Migration = {
  from: 1,
  title: "a stream of segment files for each large table",
  *steps(store: Kv): Generator<readonly KvChange[]> {
    const tail = readTail(store);
    const segments = count(store, tail);
    yield [
      ...[...segments].map(([number, segment]) => segmentRow(number, segment)),
      nextSegmentRow(tail.segment + 1),
    ];
  },
};
