/**
 * One run of the gate: compiles the test programs, runs the suites, tries failed tests of T2 again, and shows the seconds of
 * each suite, compiling and running apart.
 */
import { gitHere } from "../lib/sourceCommit.ts";
import { runSuites, type ChosenEnd, type ChosenSuite, type RunOptions } from "../lib/runSuites.ts";
import { drawSeed, givenSeed } from "../lib/runSuite.ts";
import { failureLine } from "../lib/suiteResult.ts";
import { NO_TESTS, sumTallies, tallyText, type Tally } from "../lib/tally.ts";
import { compileTests, type Compiled } from "./compileTests.ts";
import { readFlakyRows } from "./flakyRows.ts";
import { aloneRunner, tryAgain } from "./secondTry.ts";

/** Digits of a commit in a row of the register. */
const SHORT_COMMIT = 12;

/** The result of a run. */
export type GateEnd = {
  readonly tally: Tally;
  readonly ends: readonly ChosenEnd[];
};

/**
 * Runs suites, or the chosen files of them, and tells what came of each. Never rejects for a failed test. The full size draws
 * a seed, and tries nothing again: what one seed in many shows is no false alarm.
 */
export async function runGate(
  chosen: readonly ChosenSuite[],
  given: Omit<RunOptions, "seed">,
): Promise<GateEnd> {
  const isFull = given.size === "full";
  const options = { ...given, seed: isFull ? drawSeed() : givenSeed() };
  const suites = chosen.map(({ suite }) => suite);
  const compiled = await compileTests(suites, options);
  const first = await runSuites(chosen, options);
  const ends = isFull ? first : await triedAgain(first, options);
  console.log(`\n${gateTable(ends, compiled)}`);
  const broken = compiled.filter(({ status }) => status !== 0).length;
  const tallies = ends.map(({ end }) => end.tally);
  return { tally: sumTallies([...tallies, { ...NO_TESTS, failed: broken }]), ends };
}

async function triedAgain(
  ends: readonly ChosenEnd[],
  options: RunOptions,
): Promise<readonly ChosenEnd[]> {
  const { output } = await gitHere(["rev-parse", "HEAD"]);
  return tryAgain(ends, {
    runAlone: aloneRunner(options),
    rows: readFlakyRows(),
    commit: output.trim().slice(0, SHORT_COMMIT),
    seed: options.seed,
    tell: (text) => void process.stderr.write(`\n${text}`),
  });
}

/** The seconds and counts of each suite, and the failed tests below its line. */
export function gateTable(ends: readonly ChosenEnd[], compiled: readonly Compiled[]): string {
  const rows = compiled.map(
    ({ names, seconds, status }) =>
      `${secondsText(seconds)}         compile ${names.join(", ")}${status === 0 ? "" : ": FAILED"}`,
  );
  const lines = ends.flatMap(({ suite, files, end }) => [
    `         ${secondsText(end.seconds)} ${suite.name.padEnd(12)} ${tallyText(end.tally)}${partText(files)}`,
    ...end.failures.map((one) => `                   failed: ${failureLine(one)}`),
  ]);
  return [" compile      run suite", ...rows, ...lines].join("\n");
}

const secondsText = (seconds: number): string => `${seconds.toFixed(0)} s`.padStart(8);
const partText = (files: readonly string[] | undefined): string =>
  files === undefined ? "" : ` (${files.length} files)`;
