/** Results of a suite, read from vitest's JSON report, from what cargo prints, or from a program's own last line. */
import { relative } from "node:path";
import * as v from "valibot";
import { ROOT } from "./command.ts";
import { outsideFailures, type OutsideFacts } from "./outsideFacts.ts";
import { countCargo, countProgram, NO_TESTS, sumTallies, type Tally } from "./tally.ts";

/** A test that failed. */
export type TestFailure = {
  /** The test's file below the root; null where the runner names none. */
  readonly file: string | null;
  /** Its full name, as the runner takes it; null for a file that failed outside of its tests. */
  readonly test: string | null;
  /** The runner's message about it, or about its file. */
  readonly reason: string;
  /** Load of the machine over 1, 5 and 15 minutes when it failed, where the runner tells. */
  readonly load?: readonly number[];
};

/** The report of a suite's runner. */
export type SuiteResult = {
  readonly tally: Tally;
  readonly failures: readonly TestFailure[];
  /** Seconds of each test file, by its path below the root: imports, hooks and tests. Empty where the runner names no files. */
  readonly files: ReadonlyMap<string, number>;
};

const NO_FILES: ReadonlyMap<string, number> = new Map();

const assertion = v.object({
  ancestorTitles: v.array(v.string()),
  title: v.string(),
  status: v.string(),
  failureMessages: v.array(v.string()),
});
const report = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      message: v.string(),
      assertionResults: v.array(assertion),
    }),
  ),
});
type FileReport = v.InferOutput<typeof report>["testResults"][number];

/** Reads vitest's report (`--reporter=json`). A report that is missing or torn has no tests. */
export function readVitestReport(text: string): SuiteResult {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), report), text);
  const files = read.success ? read.output.testResults : [];
  return {
    tally: sumTallies(files.map(countFile)),
    failures: files.flatMap(failuresOf),
    files: NO_FILES,
  };
}

const pathOf = ({ name }: FileReport): string => relative(ROOT, name);

/** A file that failed outside of its tests is a failure of its own: vitest calls the tests that it kept from running skipped. */
function countFile(file: FileReport): Tally {
  const count = (status: string): number =>
    file.assertionResults.filter((one) => one.status === status).length;
  const [passed, failed] = [count("passed"), count("failed")];
  const skipped = file.assertionResults.length - passed - failed;
  const isBroken = file.status === "failed" && failed === 0;
  return { passed, failed: failed + (isBroken ? 1 : 0), skipped };
}

function failuresOf(file: FileReport): readonly TestFailure[] {
  const path = pathOf(file);
  const failed = file.assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0 && file.status === "failed") {
    return [{ file: path, test: null, reason: file.message }];
  }
  return failed.map(({ ancestorTitles, title, failureMessages }) => ({
    file: path,
    // As `-t` takes it; the report's own full name has blanks in between.
    test: [...ancestorTitles, title].join(" > "),
    reason: failureMessages.join("\n"),
  }));
}

/** Reads the output of `cargo test`. */
export function readCargoOutput(output: string): SuiteResult {
  return { tally: countCargo(output), failures: failedInOutput(output), files: NO_FILES };
}

/** Reads the output of a program that counts for itself, and names failed tests as cargo does. */
export function readProgramOutput(output: string): SuiteResult {
  return { tally: countProgram(output), failures: failedInOutput(output), files: NO_FILES };
}

function failedInOutput(output: string): readonly TestFailure[] {
  // oxlint-disable-next-line no-control-regex -- cargo colours its output
  const plain = output.replaceAll(/\u001b\[[0-9;]*m/g, "");
  return [...plain.matchAll(/^test (.+?) \.\.\. FAILED/gm)].map(([, test = ""]) => ({
    file: null,
    test,
    reason: reasonIn(plain, test),
  }));
}

/** The part of cargo's output under the name of a failed test. */
function reasonIn(output: string, test: string): string {
  const head = `---- ${test} stdout ----\n`;
  const start = output.indexOf(head);
  if (start < 0) return "";
  const rest = output.slice(start + head.length);
  const end = rest.search(/\n(?:---- |failures:\n)/);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** Adds what vitest's report leaves out. A file that failed outside of its tests stays one failure, whatever failed there. */
export function withOutsideFacts(result: SuiteResult, facts: OutsideFacts): SuiteResult {
  const failures: TestFailure[] = [];
  const outside = new Map<string, number>();
  for (const failure of [...result.failures, ...outsideFailures(facts)]) {
    const { file, test, reason } = failure;
    const place = file === null || test !== null ? undefined : outside.get(file);
    const known = place === undefined ? undefined : failures[place];
    if (place !== undefined && known !== undefined) {
      failures[place] = { ...known, reason: [known.reason, reason].filter(Boolean).join("\n") };
      continue;
    }
    if (file !== null && test === null) outside.set(file, failures.length);
    failures.push(failure);
  }
  const more = failures.length - result.failures.length;
  return {
    tally: sumTallies([result.tally, { ...NO_TESTS, failed: more }]),
    failures: failures.map((one) => {
      const load = facts.loads[one.file ?? ""];
      return load === undefined ? one : { ...one, load };
    }),
    files: new Map(Object.entries(facts.seconds)),
  };
}

/** The failure of a suite that no test explains. */
export function suiteFailure(result: SuiteResult, reason: string): SuiteResult {
  return {
    ...result,
    tally: sumTallies([result.tally, { ...NO_TESTS, failed: 1 }]),
    failures: [...result.failures, { file: null, test: null, reason }],
  };
}

/** A failed test in one line: file, test and the first line of the reason, as far as they are known. */
export function failureLine({ file, test, reason }: TestFailure): string {
  const [first = ""] = reason.split("\n");
  const named = [file, test].filter((part) => part !== null).join(" > ");
  if (named === "") return first;
  return first === "" ? named : `${named} (${first.slice(0, REASON_LENGTH)})`;
}

/** Characters of a reason that are shown in a line. */
const REASON_LENGTH = 240;
