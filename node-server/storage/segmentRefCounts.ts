/**
 * Reference counts of the segment files (their account): which table appends to which file, how far each is written, and how
 * many rows point into it.
 *
 * Each large table appends to a file of its own, so that values which are deleted together lie together. A
 * number is given once and never again. A file that no row points into and that nobody appends to has no row
 * in the account: whoever finds such a file may remove it.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  HOST_TABLE,
  NEXT_SEGMENT_KEY,
  SEGMENT_ROWS,
  segmentKey,
  segmentOfKey,
} from "./hostTable.ts";
import type { KvChange, KvReader } from "./kv.ts";
import { RECORD_HEADER_BYTES } from "./segmentFiles.ts";
import type { SegmentLocator } from "./segmentLocator.ts";

/** One file. Row = version 0x01 ‖ table u8 ‖ length u32 ‖ references u32 (little endian). */
export type Segment = {
  /** The table whose values it takes, or [`MIXED`]. */
  readonly table: number;
  /** Bytes that count; what lies behind them was never acknowledged. */
  readonly length: number;
  /** Rows that point into it. */
  readonly references: number;
};

/** The table number of a file of layout 1, which holds several tables and which nobody appends to. */
export const MIXED = 0;

const ROW_VERSION = 1;
const ROW_BYTES = 10;
const NEXT_VERSION = 2;
const NEXT_BYTES = 5;
const FIRST_SEGMENT = 1;
/** The one after it still fits the row of the number to come. */
const LAST_SEGMENT = 0xffff_fffe;

/** Makes the change that writes a file's row. */
export function segmentRow(number: number, segment: Segment): KvChange {
  const value = new Uint8Array(ROW_BYTES);
  const view = new DataView(value.buffer);
  view.setUint8(0, ROW_VERSION);
  view.setUint8(1, segment.table);
  view.setUint32(2, segment.length, true);
  view.setUint32(6, segment.references, true);
  return { table: HOST_TABLE, key: segmentKey(number), value };
}

/** Makes the change that writes the number of the next file. */
export function nextSegmentRow(next: number): KvChange {
  const value = new Uint8Array(NEXT_BYTES);
  const view = new DataView(value.buffer);
  view.setUint8(0, NEXT_VERSION);
  view.setUint32(1, next, true);
  return { table: HOST_TABLE, key: NEXT_SEGMENT_KEY, value };
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "host", reason });
}

function readSegment(row: Uint8Array): Segment {
  if (row.length !== ROW_BYTES || row[0] !== ROW_VERSION) throw corrupt("segment row");
  const view = new DataView(row.buffer, row.byteOffset);
  return {
    table: view.getUint8(1),
    length: view.getUint32(2, true),
    references: view.getUint32(6, true),
  };
}

function readNext(store: KvReader): number {
  const row = store.get(HOST_TABLE, NEXT_SEGMENT_KEY);
  if (row === undefined) return FIRST_SEGMENT;
  if (row.length !== NEXT_BYTES || row[0] !== NEXT_VERSION) throw corrupt("next segment");
  const next = new DataView(row.buffer, row.byteOffset).getUint32(1, true);
  if (next < FIRST_SEGMENT) throw corrupt("next segment");
  return next;
}

/** The account as the last commit left it. */
export class SegmentRefCounts {
  readonly #rows = new Map<number, Segment>();
  /** Table → the file it appends to: its newest. */
  readonly #tails = new Map<number, number>();
  #next: number;

  /** Reads the account of a store. Errors: `store/corrupt`. */
  constructor(store: KvReader) {
    this.#next = readNext(store);
    for (const { key, value } of store.range(SEGMENT_ROWS)) {
      const number = segmentOfKey(key);
      if (number === null || number < FIRST_SEGMENT || number >= this.#next) {
        throw corrupt("segment number");
      }
      const segment = readSegment(value);
      this.#rows.set(number, segment);
      if (segment.table !== MIXED) this.#tails.set(segment.table, number);
    }
  }

  /** Every file with its row, by number. */
  segments(): ReadonlyMap<number, Segment> {
    return this.#rows;
  }

  /** The number of the file to come: those from here on were never part of the store. */
  nextNumber(): number {
    return this.#next;
  }

  /** The account of one commit, to be filled by it. `fileBytes` is the most a file with several values holds. */
  draft(fileBytes: number): SegmentDraft {
    return new SegmentDraft({ rows: this.#rows, tails: this.#tails, next: this.#next }, fileBytes);
  }

  /** Takes a draft over, after its commit. */
  adopt(draft: SegmentDraft): void {
    const { rows, tails, next, retired } = draft.outcome();
    for (const [number, segment] of rows) this.#rows.set(number, segment);
    for (const number of retired) this.#rows.delete(number);
    for (const [table, number] of tails) this.#tails.set(table, number);
    this.#next = next;
  }
}

type Account = {
  readonly rows: ReadonlyMap<number, Segment>;
  readonly tails: ReadonlyMap<number, number>;
  readonly next: number;
};

/** The changes of one commit to the account; dropping the draft undoes everything. */
export class SegmentDraft {
  readonly #base: Account;
  readonly #fileBytes: number;
  readonly #rows = new Map<number, Segment>();
  readonly #tails = new Map<number, number>();
  #next: number;

  constructor(base: Account, fileBytes: number) {
    this.#base = base;
    this.#fileBytes = fileBytes;
    this.#next = base.next;
  }

  /** Finds room for a payload of a table and counts the row that will point to it. Errors: `store/corrupt`. */
  place(table: number, bytes: number): SegmentLocator {
    const record = RECORD_HEADER_BYTES + bytes;
    let number = this.#tailOf(table);
    const tail = number === undefined ? undefined : this.#rowOf(number);
    const fits =
      tail !== undefined && (tail.length === 0 || tail.length + record <= this.#fileBytes);
    if (number === undefined || !fits) number = this.#roll(table, number);
    const segment = this.#rowOf(number);
    const { length, references } = segment;
    this.#rows.set(number, { ...segment, length: length + record, references: references + 1 });
    return { segment: number, offset: length + RECORD_HEADER_BYTES, length: bytes };
  }

  /** Takes back the count of a row that goes or gets another value. Errors: `store/corrupt`. */
  release(locator: SegmentLocator): void {
    const segment = this.#rowOf(locator.segment);
    if (segment.references === 0) throw corrupt(`segment ${locator.segment} has no reference left`);
    this.#rows.set(locator.segment, { ...segment, references: segment.references - 1 });
  }

  /** The rows to be committed together with the locators. */
  changes(): KvChange[] {
    const changes = [...this.#rows].map(([number, segment]): KvChange =>
      this.#isRetired(number, segment)
        ? { table: HOST_TABLE, key: segmentKey(number), value: null }
        : segmentRow(number, segment),
    );
    if (this.#next !== this.#base.next) changes.push(nextSegmentRow(this.#next));
    return changes;
  }

  /** What the commit made of the account; `retired` are the files that nobody needs after it. */
  outcome(): Account & { readonly retired: readonly number[] } {
    const retired = [...this.#rows].flatMap(([number, segment]) =>
      this.#isRetired(number, segment) ? [number] : [],
    );
    return { rows: this.#rows, tails: this.#tails, next: this.#next, retired };
  }

  #isRetired(number: number, segment: Segment): boolean {
    return segment.references === 0 && this.#tailOf(segment.table) !== number;
  }

  #tailOf(table: number): number | undefined {
    return this.#tails.get(table) ?? this.#base.tails.get(table);
  }

  #rowOf(number: number): Segment {
    const segment = this.#rows.get(number) ?? this.#base.rows.get(number);
    if (segment === undefined) throw corrupt(`segment ${number} has no row`);
    return segment;
  }

  /** Gives a table a new file. The full one joins the draft: it may have lost its references before. */
  #roll(table: number, full: number | undefined): number {
    if (full !== undefined) this.#rows.set(full, this.#rowOf(full));
    const number = this.#next;
    if (number > LAST_SEGMENT) throw corrupt("no segment number is left");
    this.#next += 1;
    this.#rows.set(number, { table, length: 0, references: 0 });
    this.#tails.set(table, number);
    return number;
  }
}
