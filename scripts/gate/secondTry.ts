/**
 * The second try of tests of tier T2: a test that failed runs once more, alone, in a process of its own. One that passes then
 * was a false alarm: it counts as passed and is told with all that helps to mend it. A run may have two of them; a third one
 * fails it, and so does one that the register of false alarms has already.
 */
import { loadavg } from "node:os";
import type { Suite } from "../suites.ts";
import { KeptOutput } from "../lib/keptOutput.ts";
import { runSuite, type SuiteOptions } from "../lib/runSuite.ts";
import type { ChosenEnd } from "../lib/runSuites.ts";
import type { TestFailure } from "../lib/suiteResult.ts";
import { FLAKY_PATH, isSameTest, type FlakyRow } from "./flakyRows.ts";

/** False alarms that a run may have. */
export const FALSE_ALARMS = 2;
/** Failed tests that are tried again; a run with more of them is red whatever they do. */
export const TRIED_AGAIN = 6;
/** Lines that are shown of what a test wrote. */
const SHOWN_LINES = 40;

/** How a test did when it ran alone. */
type Alone = { readonly passed: boolean; readonly output: string };

/** Runs one failed test, or one failed file, alone. */
export type RunAlone = (suite: Suite, failure: TestFailure) => Promise<Alone>;

/** The state of a run that tries again. */
export type SecondTryParts = {
  readonly runAlone: RunAlone;
  readonly rows: readonly FlakyRow[];
  /** Of the tests that run, twelve digits. */
  readonly commit: string;
  /** Seed of the run; undefined for the usual one of each test. */
  readonly seed: number | undefined;
  readonly tell: (text: string) => void;
};

/** Tries failed tests of T2 again, one after the other, and returns the ends with the false alarms counted as passed. */
export async function tryAgain(
  ends: readonly ChosenEnd[],
  parts: SecondTryParts,
): Promise<readonly ChosenEnd[]> {
  let tries = 0;
  let alarms = 0;
  const result: ChosenEnd[] = [];
  for (const one of ends) {
    const left: TestFailure[] = [];
    for (const failure of one.end.failures) {
      const row = rowOf(one.suite, failure, parts.commit);
      if (!canRunAlone(one.suite, failure) || tries >= TRIED_AGAIN) {
        left.push(failure);
        continue;
      }
      tries += 1;
      const load = failure.load ?? loadavg();
      const again = await parts.runAlone(one.suite, failure);
      if (!again.passed) {
        left.push(failure);
        continue;
      }
      alarms += 1;
      const known = parts.rows.some((other) => isSameTest(other, row));
      const verdict = verdictOf(known, alarms);
      parts.tell(alarmText({ row, failure, again, load, seed: parts.seed, verdict }));
      if (verdict !== null) left.push({ ...failure, reason: verdict });
    }
    result.push(withFailures(one, left));
  }
  return result;
}

/** Why a false alarm fails the run all the same; null where it counts as passed. */
function verdictOf(isKnown: boolean, alarms: number): string | null {
  if (isKnown) return `flaky, and has a row in ${FLAKY_PATH} already: mend it first`;
  return alarms > FALSE_ALARMS ? `flaky, and more than ${FALSE_ALARMS} are in one run` : null;
}

function rowOf(suite: Suite, { file, test }: TestFailure, commit: string): FlakyRow {
  return { suite: suite.name, file, test, commit };
}

/** T0 and T1 are never tried again, and a suite that ended as a whole has no test to try. */
function canRunAlone({ tier }: Suite, { file, test }: TestFailure): boolean {
  return tier === "T2" && (file !== null || test !== null);
}

function withFailures(one: ChosenEnd, failures: readonly TestFailure[]): ChosenEnd {
  const { tally } = one.end;
  const mended = one.end.failures.length - failures.length;
  const counts = { ...tally, passed: tally.passed + mended, failed: tally.failed - mended };
  return { ...one, end: { ...one.end, failures, tally: counts } };
}

function alarmText(alarm: {
  readonly row: FlakyRow;
  readonly failure: TestFailure;
  readonly again: Alone;
  readonly load: readonly number[];
  readonly seed: number | undefined;
  readonly verdict: string | null;
}): string {
  const { row, failure, again, load, seed, verdict } = alarm;
  const name = [row.file, row.test].filter((part) => part !== null).join(" > ");
  const place = `commit ${row.commit}, load ${load.map((one) => one.toFixed(1)).join(" ")}`;
  return [
    `flaky: ${row.suite}: ${name}`,
    `  ${place}, ${seed === undefined ? "the usual seed" : `SVC_SEED=${seed}`}`,
    "  it failed with:",
    ...indented(failure.reason.split("\n").slice(0, SHOWN_LINES)),
    "  and passed alone:",
    ...indented(again.output.trimEnd().split("\n").slice(-SHOWN_LINES)),
    verdict === null ? `  add to ${FLAKY_PATH}: ${JSON.stringify(row)}` : `  ${verdict}`,
    "",
  ].join("\n");
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

/** Runs tests alone with the options of their run. */
export function aloneRunner(options: SuiteOptions): RunAlone {
  return async (suite, failure) => {
    const output = new KeptOutput();
    const { show } = output;
    const { tally } = await runSuite(suite, { ...options, ...choiceOf(suite, failure), show });
    return { passed: tally.failed === 0 && tally.passed > 0, output: output.text };
  };
}

/** The arguments that choose one test of a suite. */
export function choiceOf(
  { kind }: Suite,
  { file, test }: TestFailure,
): Pick<SuiteOptions, "part" | "filter"> {
  if (kind === "cargo" && test !== null) return { filter: ["--exact", test] };
  if (kind !== "vitest" || file === null) return {};
  return { part: test === null ? [file] : [file, "-t", `^${escaped(test)}$`] };
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
