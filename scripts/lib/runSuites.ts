/** Runner of several test suites, some at a time. */
import type { Suite } from "../suites.ts";
import { orderedOutput, type OutputTurn } from "./orderedOutput.ts";
import { drawSeed, endLine, runSuite, type SuiteEnd } from "./runSuite.ts";
import { NO_TESTS, sumTallies, type Tally } from "./tally.ts";

/**
 * Suites at a time at the reduced size: one alone leaves a fifth of two cores idle, since tests wait for each other's nodes
 * and the last test of a program runs alone. At full size some measure.
 */
const TOGETHER = { reduced: 2, full: 1 } as const;

type RunOptions = { readonly size: "reduced" | "full"; readonly signal: AbortSignal };

/**
 * Runs suites, begun in their order and shown in it too, and tells what came of each. One that an interruption leaves out
 * counts as a failure.
 */
export async function runSuites(suites: readonly Suite[], options: RunOptions): Promise<Tally> {
  const { size, signal } = options;
  const drawn = size === "full" ? drawSeed() : undefined;
  const nextTurn = orderedOutput((chunk) => void process.stderr.write(chunk));
  const waiting = suites.values();
  const ends = new Map<Suite, SuiteEnd>();
  const runWaiting = async (): Promise<void> => {
    for (const suite of waiting) {
      if (signal.aborted) return;
      const turn = nextTurn();
      ends.set(suite, await runShown(suite, { ...options, drawn, turn }));
      turn.end();
    }
  };
  await Promise.all(Array.from({ length: TOGETHER[size] }, runWaiting));
  const lines = suites.map((suite) => {
    const end = ends.get(suite);
    return end === undefined ? `${suite.name.padEnd(12)} not run` : endLine(suite.name, end);
  });
  console.log(`\n${lines.join("\n")}`);
  return sumTallies(suites.map((suite) => ends.get(suite)?.tally ?? { ...NO_TESTS, failed: 1 }));
}

function runShown(
  suite: Suite,
  { size, signal, drawn, turn }: RunOptions & { drawn: number | undefined; turn: OutputTurn },
): Promise<SuiteEnd> {
  const seed = suite.isSeeded === true ? drawn : undefined;
  const limit = `${size} size, at most ${suite.seconds[size] / 60} min`;
  const named = seed === undefined ? limit : `${limit}, SVC_SEED=${seed}`;
  turn.write(`\n# ${suite.name}: ${suite.about} (${named})\n`);
  return runSuite(suite, { size, seed, signal, show: turn.write });
}
