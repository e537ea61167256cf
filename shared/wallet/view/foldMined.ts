/** Read model of the history with mined rows folded: one line for all blocks of a day, instead of one for each of them. */
import { asSompi, asTimestampMs, type Sompi, type TimestampMs } from "../../base/brand.ts";
import type { HistoryView } from "./history.ts";

/** All that was mined to the wallet on one day, two blocks or more. */
export type MinedDay = {
  /** Stable while the day lasts. */
  readonly id: string;
  readonly kind: "mined-day";
  readonly blocks: number;
  readonly amount: Sompi;
  /** Of its newest block. */
  readonly timestamp: TimestampMs;
  /** False while its newest block may still change. */
  readonly settled: boolean;
};

/** One line of the shown history. */
export type HistoryLine = HistoryView | MinedDay;

/**
 * The first `limit` lines, newest first, and how many there are in all. The mined rows of a day stand together where the newest of
 * them stood; a block alone stays a row. `dayOf` names the day of a time, in the time zone of whoever looks.
 */
export function foldMined(
  rows: readonly HistoryView[],
  dayOf: (ms: TimestampMs) => string,
  limit: number,
): { readonly lines: readonly HistoryLine[]; readonly total: number } {
  const lines: HistoryLine[] = [];
  const places = new Map<string, number>();
  let total = 0;
  for (const row of rows) {
    const day = row.kind === "mined" && row.timestamp !== null ? dayOf(row.timestamp) : null;
    const place = day === null ? undefined : places.get(day);
    if (place === undefined) {
      if (day !== null) places.set(day, total);
      if (lines.length < limit) lines.push(row);
      total += 1;
      continue;
    }
    const line = lines[place];
    if (line !== undefined && day !== null) lines[place] = joined(line, row, day);
  }
  return { lines, total };
}

function joined(line: HistoryLine, row: HistoryView, day: string): MinedDay {
  const amount = asSompi(line.amount + row.amount);
  if (line.kind === "mined-day") return { ...line, amount, blocks: line.blocks + 1 };
  return {
    id: `mined ${day}`,
    kind: "mined-day",
    blocks: 2,
    amount,
    timestamp: line.timestamp ?? row.timestamp ?? asTimestampMs(0n),
    settled: line.state === "settled",
  };
}
