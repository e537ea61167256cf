/**
 * Results of flows that were run again and again beside busy processes, a file for each commit below `docs/records/flows`.
 * The runs of all commits count, so that several days can share what takes hours.
 */
import { existsSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import * as v from "valibot";
import { CommitRecords } from "../lib/commitRecords.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const flowRun = v.object({
  /** Path of the test file. */
  flow: v.string(),
  /** Busy processes beside it. */
  beside: count,
  passed: count,
  failed: count,
  seconds: v.number(),
  /** When it ended, as `2026-11-23`. */
  day: v.string(),
  machine: v.string(),
  /** Messages of the failed tests; empty for a run that passed. */
  reasons: v.array(v.string()),
});

/** One run of one flow. */
export type FlowRun = v.InferOutput<typeof flowRun>;

/** How often a flow ran, and how often a test of it failed. */
export type FlowSum = { readonly runs: number; readonly red: number; readonly seconds: number };

/** Whether a run is red: a test of it failed, or it had none. */
export function isRed({ passed, failed }: Pick<FlowRun, "passed" | "failed">): boolean {
  return failed > 0 || passed === 0;
}

/** The runs of all commits. */
export class FlowRecords {
  readonly #own: CommitRecords<FlowRun>;
  readonly #before: readonly FlowRun[];

  /** Reads what there is. New runs are of this commit. */
  constructor(folder: string, commit: string) {
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const others = files.map((file) => basename(file, ".jsonl")).filter((one) => one !== commit);
    this.#before = others.flatMap((one) => recordsOf(folder, one).all);
    this.#own = recordsOf(folder, commit);
  }

  /** Keeps a run. */
  add(run: FlowRun): void {
    this.#own.add(run);
  }

  /** The runs of a flow beside so many busy processes. */
  sumOf(flow: string, beside: number): FlowSum {
    const runs = [...this.#before, ...this.#own.all].filter(
      (run) => run.flow === flow && run.beside === beside,
    );
    return {
      runs: runs.length,
      red: runs.filter(isRed).length,
      seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    };
  }

  /** The flow that ran least, the first of those; null when each has run so often. */
  nextOf(flows: readonly string[], beside: number, wanted: number): string | null {
    const sums = flows.map((flow) => ({ flow, ...this.sumOf(flow, beside) }));
    const least = sums.reduce((a, b) => (b.runs < a.runs ? b : a));
    return least.runs < wanted ? least.flow : null;
  }
}

function recordsOf(folder: string, commit: string): CommitRecords<FlowRun> {
  return new CommitRecords(folder, commit, flowRun, ({ flow }) => flow);
}
