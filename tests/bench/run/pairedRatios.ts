/** Regression test of paired samples: whether this commit is slower than another, from figures that were taken in turns. */
import { median, percentile } from "./median.ts";

/** A loss up to this share is not looked at. */
export const LEAST_LOSS = 0.03;
/** The share of the other commit's ratios against itself that lie within its spread. */
const WITHIN = 0.75;

/** One figure, round by round. */
export type PairedFigures = {
  /** Of this commit. */
  readonly here: readonly number[];
  /** Of the other. */
  readonly ref: readonly number[];
  /** Of the other once more, in a process of its own. */
  readonly again: readonly number[];
  readonly better: "lower" | "higher";
};

/** The verdict on two commits' figures. */
export type PairedVerdict = {
  /** Share that is lost, from the median of the paired ratios; below 0 where this commit is better. */
  readonly loss: number;
  /** Distance from 1 within which three of four ratios of the other commit against itself lie. */
  readonly spread: number;
  /** `unclear`: a loss that is worth a look, but the other commit varies as much by itself. */
  readonly verdict: "kept" | "unclear" | "lost";
};

/** Sets figures of the same round against each other. Throws when the sides have not the same number, or none. */
export function pairedVerdict({ here, ref, again, better }: PairedFigures): PairedVerdict {
  const loss = median(lossRatios(here, ref, better)) - 1;
  const own = lossRatios(again, ref, better).map((ratio) => Math.abs(ratio - 1));
  const spread = percentile(own, WITHIN);
  if (loss <= LEAST_LOSS) return { loss, spread, verdict: "kept" };
  return { loss, spread, verdict: loss > spread ? "lost" : "unclear" };
}

/** How many times worse a figure is than its partner. */
function lossRatios(
  figures: readonly number[],
  ref: readonly number[],
  better: "lower" | "higher",
): readonly number[] {
  if (figures.length !== ref.length) throw new Error("every figure needs a partner");
  return figures.map((figure, round) => {
    const partner = ref[round] ?? Number.NaN;
    return better === "lower" ? figure / partner : partner / figure;
  });
}
