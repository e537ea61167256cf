/**
 * Vitest reporter that writes test counts as lines of JSON while tests run, so that a run that is cut off has its counts
 * too. `VitestTally` is the reporter that writes them into the file that `SVC_TALLY_FILE` names; `countVitest` reads them.
 */
import { appendFileSync } from "node:fs";
import * as v from "valibot";
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";
import { NO_TESTS, sumTallies, type Tally } from "./tally.ts";

/** Characters of an error's first line. */
const REASON_LENGTH = 240;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const line = v.union([
  /** The files of the run. */
  v.object({ files: v.array(v.string()) }),
  /** A file was loaded and has so many tests. */
  v.object({ file: v.string(), tests: count }),
  /** A test of it ended. */
  v.object({
    file: v.string(),
    state: v.picklist(["passed", "failed", "skipped"]),
    /** Of one that failed, with the first line of its error. */
    name: v.optional(v.string()),
    reason: v.optional(v.string()),
  }),
  /** The whole file ended. */
  v.object({ file: v.string(), passed: count, failed: count, skipped: count }),
  /** Errors that belong to no test. */
  v.object({ unhandled: count }),
]);
type Line = v.InferOutput<typeof line>;

/** Writes the lines. Vitest makes it by itself, from the name of this file. */
export class VitestTally implements Reporter {
  readonly #file = process.env["SVC_TALLY_FILE"] ?? "";

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#write({ files: specifications.map((one) => nameOf(one.project.name, one.moduleId)) });
  }

  onTestModuleCollected(module: TestModule): void {
    this.#write({ file: fileOf(module), tests: [...module.children.allTests()].length });
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === "pending") return;
    const failure = state === "failed" ? { name: test.fullName, reason: reasonOf(test) } : {};
    this.#write({ file: fileOf(test.module), state, ...failure });
  }

  onTestModuleEnd(module: TestModule): void {
    this.#write({ file: fileOf(module), ...countModule(module) });
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly unknown[]): void {
    this.#write({ unhandled: unhandled.length });
  }

  #write(one: Line): void {
    if (this.#file !== "") appendFileSync(this.#file, `${JSON.stringify(one)}\n`);
  }
}

export default VitestTally;

const nameOf = (project: string, moduleId: string): string => `${project} ${moduleId}`;
const fileOf = (module: TestModule): string => nameOf(module.project.name, module.moduleId);

/** What its error says first, and where that was. */
function reasonOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const [message = ""] = (error?.message ?? "").split("\n");
  const line = error?.stacks?.find(({ file }) => file === test.module.moduleId)?.line;
  const place = line === undefined ? "" : `line ${line}: `;
  return `${place}${message.slice(0, REASON_LENGTH)}`;
}

/** The tests of a file. An error outside of its tests that kept none of them from running is a failure of its own. */
function countModule(module: TestModule): Tally {
  const tests = [...module.children.allTests()];
  const counted = sumTallies(tests.map(countTest));
  const groups = [module, ...module.children.allSuites()];
  const broken = groups.filter((group) => group.errors().length > 0);
  const withoutVictim = broken.filter(
    (group) => ![...group.children.allTests()].some((test) => countTest(test).failed > 0),
  );
  return { ...counted, failed: counted.failed + withoutVictim.length };
}

function countTest(test: TestCase): Tally {
  const { state } = test.result();
  if (state === "passed") return { ...NO_TESTS, passed: 1 };
  if (state === "skipped" && !isBroken(test)) return { ...NO_TESTS, skipped: 1 };
  return { ...NO_TESTS, failed: 1 };
}

/** Whether something around a test failed before it could run. A test that is left out by its own flag was not to run. */
function isBroken(test: TestCase): boolean {
  if (test.options.mode === "skip" || test.options.mode === "todo") return false;
  for (let group = test.parent; ; group = group.parent) {
    if (group.errors().length > 0) return true;
    if (group.type === "module") return false;
  }
}

/** Sums the lines up. Of a file that did not end, what had not ended has failed; a torn line is none. */
export function countVitest(text: string): Tally {
  const lines = text.split("\n").flatMap((one) => {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), line), one);
    return read.success ? [read.output] : [];
  });
  const files = new Set(lines.flatMap((one) => ("files" in one ? one.files : [])));
  const unhandled = lines.reduce((sum, one) => sum + ("unhandled" in one ? one.unhandled : 0), 0);
  const tallies = Array.from(files, (file) =>
    countFile(lines.filter((one) => "file" in one && one.file === file)),
  );
  return sumTallies([...tallies, { ...NO_TESTS, failed: unhandled }]);
}

function countFile(lines: readonly Line[]): Tally {
  const [end] = lines.flatMap((one) => ("passed" in one ? [one] : []));
  if (end !== undefined) return end;
  const ended = (state: string) =>
    lines.filter((one) => "state" in one && one.state === state).length;
  const tests = lines.reduce((sum, one) => sum + ("tests" in one ? one.tests : 0), 0);
  const seen = { passed: ended("passed"), skipped: ended("skipped") };
  return { ...seen, failed: Math.max(1, tests - seen.passed - seen.skipped) };
}
