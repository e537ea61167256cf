/** Bins of an answer: sums over stored bins, of any length that these divide. */
import {
  addBins,
  EMPTY_BIN,
  meanDifficulty,
  type BinRow,
  type BinSeconds,
} from "../tables/binRow.ts";
import { binsBetween } from "../tables/derivedTables.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { aTurn, type AnswerView } from "./answerView.ts";

/** Which bins are wanted: `count` of so many seconds, the last one with the present time. */
export type BinWish = {
  readonly seconds: number;
  readonly count: number;
};

/** A bin of an answer. */
export type SummedBin = {
  /** Unix seconds. */
  readonly start: number;
  readonly bin: BinRow;
};

const MS = 1_000n;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** What is mined to find a block: two hashes for each unit of difficulty. */
const HASHES_PER_DIFFICULTY = 2;

function storedSeconds(seconds: number): BinSeconds {
  if (seconds % HOUR_S === 0) return HOUR_S;
  return seconds % MINUTE_S === 0 ? MINUTE_S : 15;
}

/** The bins, the oldest first; empty ones among them. */
export async function summedBins(
  view: AnswerView,
  { seconds, count }: BinWish,
): Promise<readonly SummedBin[]> {
  const stored = storedSeconds(seconds);
  const parts = BigInt(seconds / stored);
  const last = view.nowMs / (BigInt(seconds) * MS);
  const first = last - BigInt(count) + 1n;
  const sums = Array.from({ length: count }, () => EMPTY_BIN);
  let from = first * parts;
  const to = (last + 1n) * parts;
  for (;;) {
    const limit = INDEXER_LIMITS.indexTurnRows;
    const page = binsBetween(view.reader, stored, { from, to, limit });
    for (const { number, bin } of page) {
      const at = Number(number / parts - first);
      sums[at] = addBins(sums[at] ?? EMPTY_BIN, bin);
    }
    const end = page.at(-1);
    if (end === undefined || page.length < limit) break;
    from = end.number + 1n;
    await aTurn(view.signal);
  }
  return sums.map((bin, at) => ({ start: Number(first + BigInt(at)) * seconds, bin }));
}

/** One bin from several. */
export function sumOf(bins: readonly SummedBin[]): BinRow {
  return bins.reduce((sum, { bin }) => addBins(sum, bin), EMPTY_BIN);
}

/** Hashes per second: 2 × difficulty × measured blocks per second (corrections B12). For display only. */
export function hashrateOf(bin: BinRow, seconds: number): number {
  return HASHES_PER_DIFFICULTY * meanDifficulty(bin) * (bin.blocks / seconds);
}
