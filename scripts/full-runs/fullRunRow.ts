/** Report of a full-size test run: its row in the table of `docs/testing.md`. */
import { sumTallies } from "../lib/tally.ts";
import type { PartRecord, PartRecords } from "./partRecords.ts";

/** The head of the table. */
export const FULL_RUN_HEAD =
  "| day | commit | machine | parts | passed | failed | skipped | red before | seed | hours |\n" +
  "|---|---|---|---:|---:|---:|---:|---:|---|---:|";

/**
 * The row of a commit: the sum of what came of each part when it ran last. `red before` counts runs that failed and were
 * repeated, hours are those of all runs.
 */
export function fullRunRow(parts: readonly string[], records: PartRecords, commit: string): string {
  const last = parts.flatMap((part) => records.lastOf(part) ?? []);
  const { passed, failed, skipped } = sumTallies(last);
  const repeated = records.all.filter((one) => one.failed > 0 && !last.includes(one));
  const hours = records.all.reduce((sum, one) => sum + one.seconds, 0) / 3600;
  const cells = [
    last.map(({ day }) => day).reduce((a, b) => (a > b ? a : b), ""),
    commit.slice(0, 12),
    distinct(last, ({ machine }) => machine),
    String(last.length),
    String(passed),
    String(failed),
    String(skipped),
    String(repeated.length),
    distinct(last, ({ seed }) => (seed === null ? "" : String(seed))),
    hours.toFixed(1),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The document with the row in its table, in place of an earlier one of the commit. Throws where there is no table. */
export function withFullRunRow(document: string, row: string): string {
  const start = document.indexOf(FULL_RUN_HEAD);
  if (start < 0) throw new Error("the document has no table of full runs");
  const [before, table] = [document.slice(0, start), document.slice(start)];
  const end = table.search(/\n(?!\|)/);
  const rows = (end < 0 ? table : table.slice(0, end)).split("\n");
  const commitOf = (text: string) => text.split("|")[2]?.trim();
  const others = rows.filter((one, at) => at < 2 || commitOf(one) !== commitOf(row));
  return `${before}${[...others, row].join("\n")}${end < 0 ? "\n" : table.slice(end)}`;
}

function distinct(records: readonly PartRecord[], of: (record: PartRecord) => string): string {
  return [...new Set(records.map(of))].filter((text) => text !== "").join("; ");
}
