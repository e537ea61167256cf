/** Consistency check of whole tables: compares two stores key by key, in order. */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import type { CheckPageParts } from "./checkPage.ts";
import { readingAt, recordDifference, sameBytes, storedRecord } from "./storeDifference.ts";

/** Options of a table's comparison. */
export type TableComparison = {
  readonly table: number;
  /** Whether records are compared where both stores have the key; their presence always is. */
  readonly records: boolean;
  /** Whether a record that one side has for itself may be there. */
  readonly allow: (key: Uint8Array, side: CheckedSide) => boolean;
};

/** One of the two stores of a check. */
export type CheckedSide = "stored" | "computed";

/** A cursor over the keys of a table in order, a page at a time. */
export class TableKeys {
  readonly #core: RawReader;
  readonly #table: number;
  #page: Uint8Array[] = [];
  #last: Uint8Array = new Uint8Array();
  #done = false;

  /** Of a table of one of the two stores. Every call may fail with `verify/difference`. */
  constructor(core: RawReader, table: number) {
    this.#core = core;
    this.#table = table;
  }

  /** The next key, which stays the next one until it is taken. */
  peek(): Uint8Array | undefined {
    if (this.#page.length === 0 && !this.#done) this.#read();
    return this.#page[0];
  }

  /** Goes to the one after the next key. */
  take(): void {
    this.#last = this.#page.shift() ?? this.#last;
  }

  #read(): void {
    const place = { table: this.#table, key: this.#last };
    const limit = ENGINE_LIMITS.checkPageKeys;
    const bytes = readingAt(place, () =>
      callCore(() => this.#core.storedKeys(this.#table, this.#last, limit)),
    );
    const reader = new ByteReader(bytes);
    while (reader.remaining > 0) this.#page.push(reader.take(reader.u8()));
    this.#done = this.#page.length < limit;
  }
}

/** Compares a table. Returns how many keys the store has. Errors: `verify/difference`, `run/aborted`. */
export async function compareTable(
  parts: CheckPageParts,
  comparison: TableComparison,
): Promise<bigint> {
  const stored = new TableKeys(parts.stored, comparison.table);
  const computed = new TableKeys(parts.computed, comparison.table);
  let count = 0n;
  for (let seen = 1; ; seen += 1) {
    const [a, b] = [stored.peek(), computed.peek()];
    const key = first(a, b);
    if (key === undefined) return count;
    const inStored = a !== undefined && sameBytes(a, key);
    const inBoth = inStored && b !== undefined && sameBytes(b, key);
    if (!inBoth || comparison.records) compareAt(parts, comparison, key);
    if (inStored) {
      stored.take();
      count += 1n;
    }
    if (b !== undefined && sameBytes(b, key)) computed.take();
    if (seen % ENGINE_LIMITS.checkPageKeys === 0) {
      await parts.pause();
      throwIfAborted(parts.signal);
    }
  }
}

function first(a: Uint8Array | undefined, b: Uint8Array | undefined): Uint8Array | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Buffer.compare(a, b) <= 0 ? a : b;
}

function compareAt(
  { stored, computed }: CheckPageParts,
  { table, allow }: TableComparison,
  key: Uint8Array,
): void {
  const found = storedRecord(stored, table, key);
  const own = callCore(() => computed.storedRecord(table, key));
  if (sameBytes(found, own)) return;
  if (own === undefined && allow(key, "stored")) return;
  if (found === undefined && allow(key, "computed")) return;
  throw recordDifference({ table, key }, found, own);
}
