/** What a benchmark is, and how its samples become one answer. */

/** Samples of one quantity, all of them kept. */
export type Series = {
  readonly name: string;
  readonly unit: "ms" | "µs" | "per second";
  readonly samples: readonly number[];
};

/** What a comparison measured. Fields that do not apply are left out. */
export type Comparison = {
  readonly unit: "ms" | "µs" | "MiB";
  /** What one unit of the figures is of, for people: "2-action proof". */
  readonly per: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** Medians of parts of our figure, or of separate quantities where there are several. */
  readonly phases: Readonly<Record<string, number | ComparedPart>>;
  /** Time with one worker over time with several. */
  readonly speedup?: number;
  /** Peak of the whole process. */
  readonly peakMiB?: number;
  /** Samples of the peer's batch call, which `ratio_batch` is against. */
  readonly theirsBatch?: readonly number[];
  /** The ratio where it is not that of the medians of `ours` and `theirs`. */
  readonly ratio?: number;
  /** Samples are fewer than seven, or not pinned: why. */
  readonly notes: readonly string[];
};

/** Medians of one of several quantities. */
export type ComparedPart = {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  readonly unit: "ms" | "µs";
};

/** What a benchmark that compares with nothing and counts several things answers. */
export type Report = {
  /** Fields of the JSON answer beside `bench`, `about` and `machine`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same for people. */
  readonly lines: readonly string[];
};

/** How a benchmark is run. */
export type BenchOptions = {
  /** Actions of a measured proof. */
  readonly actions: number;
  /** Workers that share a proof. */
  readonly workers: number;
  /** Proofs that are verified together. */
  readonly batch: number;
  /** Blocks of a measured chain. */
  readonly blocks: number;
  /** Headers of a measured chain without bodies. */
  readonly count: number;
  /** Payments of each block. */
  readonly tx: number;
  /** Blocks that a change of branch leaves. */
  readonly depth: number;
  /** Samples of each figure, for benchmarks that take long. */
  readonly rounds: number;
  /** Measure memory in place of time. */
  readonly memory: boolean;
  readonly signal: AbortSignal;
};

/** A benchmark of the registry in `tests/bench/benches.ts`. Takes at least seven samples of each figure. */
export type Bench =
  | {
      readonly kind: "series";
      readonly name: string;
      /** One line: what is measured, on what. */
      readonly about: string;
      run(options: BenchOptions): Promise<readonly Series[]>;
    }
  | {
      readonly kind: "comparison";
      readonly name: string;
      readonly about: string;
      run(options: BenchOptions): Promise<Comparison>;
    }
  | {
      readonly kind: "report";
      readonly name: string;
      readonly about: string;
      run(options: BenchOptions): Promise<Report>;
    };

/** The middle sample, or the mean of the two middle ones. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new Error("no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return middle.reduce((sum, sample) => sum + sample, 0) / middle.length;
}

/** The smallest sample that so large a share of them (above 0, at most 1) does not exceed. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const found = sorted[Math.ceil(share * sorted.length) - 1];
  if (found === undefined) throw new Error("no samples");
  return found;
}
