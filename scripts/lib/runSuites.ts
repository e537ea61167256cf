/** Runner of several test suites, some at a time. */
import type { Suite } from "../suites.ts";
import { INTERRUPTED } from "./command.ts";
import { endLine, runSuite, type SuiteEnd } from "./runSuite.ts";
import { suiteFailure } from "./suiteResult.ts";
import { NO_TESTS } from "./tally.ts";

/**
 * Suites at a time at the reduced size: one alone leaves a fifth of two cores idle, since tests wait for each other's nodes
 * and the last test of a program runs alone. At full size some measure.
 */
const TOGETHER = { reduced: 2, full: 1 } as const;

/** A suite, or the test files of it that were chosen. */
export type ChosenSuite = { readonly suite: Suite; readonly files?: readonly string[] };

/** How suites are run. */
export type RunOptions = {
  readonly size: "reduced" | "full";
  readonly signal: AbortSignal;
  /** Seed of the seeded suites; the usual one of each test where it is left out. */
  readonly seed?: number | undefined;
  /** Where outputs go, standard error when left out. */
  readonly write?: (chunk: string | Uint8Array) => void;
};

/** How a suite of a run ended. */
export type ChosenEnd = ChosenSuite & { readonly end: SuiteEnd };

/**
 * Runs suites, begun in their order, and shows the output of each when it ends; a single one is shown as it runs. One that an
 * interruption leaves out has failed.
 */
export async function runSuites(
  chosen: readonly ChosenSuite[],
  options: RunOptions,
): Promise<readonly ChosenEnd[]> {
  const waiting = chosen.values();
  const ends = new Map<ChosenSuite, SuiteEnd>();
  const isAlone = chosen.length === 1;
  const runWaiting = async (): Promise<void> => {
    for (const one of waiting) {
      if (options.signal.aborted) return;
      ends.set(one, await runShown(one, { ...options, isAlone }));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER[options.size] }, runWaiting));
  return chosen.map((one) => ({ ...one, end: ends.get(one) ?? notRun() }));
}

async function runShown(
  { suite, files = [] }: ChosenSuite,
  options: RunOptions & { readonly isAlone: boolean },
): Promise<SuiteEnd> {
  const { size, signal, isAlone } = options;
  const seed = suite.isSeeded === true ? options.seed : undefined;
  const limit = `${size} size, at most ${suite.seconds[size] / 60} min`;
  const named = seed === undefined ? limit : `${limit}, SVC_SEED=${seed}`;
  const head = `\n# ${suite.name}: ${suite.about} (${named})\n`;
  const kept: (string | Uint8Array)[] = [];
  const { write = (chunk) => void process.stderr.write(chunk) } = options;
  if (isAlone) write(head);
  else write(`# ${suite.name} runs\n`);
  const show = isAlone ? write : (chunk: string | Uint8Array) => void kept.push(chunk);
  const end = await runSuite(suite, { size, seed, signal, show, part: files });
  if (!isAlone) for (const chunk of [head, ...kept]) write(chunk);
  write(`${endLine(suite.name, end)}\n`);
  return end;
}

function notRun(): SuiteEnd {
  const none = { tally: NO_TESTS, failures: [], files: new Map() };
  return { ...suiteFailure(none, "not run"), status: INTERRUPTED, seconds: 0 };
}
