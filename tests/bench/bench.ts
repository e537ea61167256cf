/** What a benchmark is, and how its samples become one answer. */

/** Samples of one quantity, all of them kept. */
export type Series = {
  readonly name: string;
  readonly unit: "ms" | "µs" | "per second";
  readonly samples: readonly number[];
};

/** A benchmark of the registry in `tests/bench/benches.ts`. */
export type Bench = {
  readonly name: string;
  /** One line: what is measured, on what. */
  readonly about: string;
  /** Takes at least seven samples of each series. */
  run(signal: AbortSignal): Promise<readonly Series[]>;
};

/** The middle sample, or the mean of the two middle ones. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new Error("no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, sample) => sum + sample, 0) / middle.length;
}
