/** For tests: recounts a store's segment references and compares them with the account it keeps. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { KEYS_END, type KvReader } from "../kv.ts";
import { MIXED, SegmentRefCounts } from "../segmentRefCounts.ts";
import { readRow } from "../segmentLocator.ts";

/** What is found in one file by going through all rows. */
type Counted = { readonly tables: Set<number>; references: number; end: number };

function countRows(inner: KvReader, large: ReadonlySet<number>): Map<number, Counted> {
  const counted = new Map<number, Counted>();
  for (const table of large) {
    const rows = inner.range({ table, from: new Uint8Array(), to: KEYS_END, limit: 1_000_000 });
    for (const { value } of rows) {
      const row = readRow(value);
      if (!("locator" in row)) continue;
      const { segment, offset, length } = row.locator;
      const file = counted.get(segment) ?? { tables: new Set(), references: 0, end: 0 };
      counted.set(segment, file);
      file.tables.add(table);
      file.references += 1;
      file.end = Math.max(file.end, offset + length);
    }
  }
  return counted;
}

/**
 * Compares rows, account and folder of a store that was just opened or has no old reader; `inner` is the
 * database below the files. Returns what disagrees.
 */
export function auditSegments(
  inner: KvReader,
  options: { readonly folder: string; readonly large: ReadonlySet<number> },
): string[] {
  const counted = countRows(inner, options.large);
  const account = new SegmentRefCounts(inner).segments();
  const newest = new Map([...account].map(([number, { table }]) => [table, number]));
  const wrong: string[] = [];
  for (const number of counted.keys()) {
    if (!account.has(number)) wrong.push(`segment ${number} is pointed into and has no row`);
  }
  for (const [number, { table, length, references }] of account) {
    const found = counted.get(number) ?? { tables: new Set<number>(), references: 0, end: 0 };
    const isTail = table !== MIXED && newest.get(table) === number;
    const foreign = [...found.tables].filter((from) => table !== MIXED && from !== table);
    if (found.references !== references) {
      wrong.push(`segment ${number}: ${references} references, counted ${found.references}`);
    }
    if (references === 0 && !isTail) wrong.push(`segment ${number} is kept for nothing`);
    if (found.end > length) wrong.push(`segment ${number}: a value lies behind its length`);
    if (foreign.length > 0) wrong.push(`segment ${number} holds values of another table`);
    const size = statSync(pathOf(options.folder, number), { throwIfNoEntry: false })?.size ?? -1;
    if (size < length) wrong.push(`segment ${number}: ${size} bytes on disk of ${length}`);
  }
  for (const name of readdirSync(options.folder)) {
    if (!account.has(Number.parseInt(name, 10))) wrong.push(`${name} is nobody's`);
  }
  return wrong;
}

function pathOf(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(8, "0")}.seg`);
}
