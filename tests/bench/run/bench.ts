/** Types of the benchmark harness: a benchmark, its options, and its results. */
import type { Comparison } from "./comparison.ts";
import type { RoundLog, Sample } from "./rounds.ts";

/** Samples of one quantity, all of them kept. */
export type Series = {
  readonly name: string;
  readonly unit: "ms" | "µs" | "per second";
  readonly samples: readonly number[];
};

/** The result of a benchmark that compares with nothing and counts several things. */
export type Report = {
  /** Fields of the JSON answer beside `bench`, `about` and `machine`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same for people. */
  readonly lines: readonly string[];
};

/** Options of a benchmark run. */
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
  /** Samples of each figure. */
  readonly rounds: number;
  /** Milliseconds after which fewer samples are enough; infinite when `--rounds` was named. */
  readonly longestMs: number;
  /** Measure memory in place of time. */
  readonly memory: boolean;
  /** Where the rounds of a part of this run are kept. */
  readonly log: (part: string) => RoundLog;
  readonly signal: AbortSignal;
};

/** Our side alone, of one checkout, ready to be measured. */
export type Subject = {
  /** One sample of each of its figures, all of them times. */
  measure(): Promise<Sample>;
  stop(): void;
};

/** A figure of an answer, by its path in the JSON. */
export type AnswerFigure = { readonly field: string; readonly better: "lower" | "higher" };

/** A benchmark of the registry in `tests/bench/run/benches.ts`. Takes at least seven samples of each figure, or says why not. */
export type Bench =
  | {
      readonly kind: "series";
      readonly name: string;
      /** One line: what is measured, on what. */
      readonly about: string;
      /** What two commits are compared by. */
      readonly figures: readonly AnswerFigure[];
      run(options: BenchOptions): Promise<readonly Series[]>;
    }
  | {
      readonly kind: "comparison";
      readonly name: string;
      readonly about: string;
      run(options: BenchOptions): Promise<Comparison>;
      /** Our side in a checkout, given by its root folder, for the comparison of two commits. */
      subject(options: BenchOptions, checkout: string): Promise<Subject>;
    }
  | {
      readonly kind: "report";
      readonly name: string;
      readonly about: string;
      readonly figures: readonly AnswerFigure[];
      run(options: BenchOptions): Promise<Report>;
    };
