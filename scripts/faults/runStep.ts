/** Runner of one step in the copy of the sources, and the reader of what came of it. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, TIMED_OUT, type CommandResult } from "../lib/command.ts";
import {
  readCargoOutput,
  readProgramOutput,
  readVitestReport,
  type SuiteResult,
  type TestFailure,
} from "../lib/suiteResult.ts";
import { choiceOf } from "../gate/secondTry.ts";
import type { FaultStep } from "./faultSteps.ts";
import type { FaultTree, TreeCommand } from "./faultTree.ts";

/** The end of a step. `broken`: its tests could not be run, which says nothing of them. */
export type StepEnd = {
  readonly verdict: "green" | "red" | "broken";
  /** The first test that failed; null for a green step. */
  readonly failure: TestFailure | null;
  /** Test files that ran, where the runner names them. */
  readonly files: number;
  /** Tests that passed. */
  readonly passed: number;
  readonly output: string;
};

/** Runs a step, or of it the test that failed alone. */
export async function runStep(
  tree: FaultTree,
  step: FaultStep,
  alone?: TestFailure,
): Promise<StepEnd> {
  const report = join(tree.root, ".cache", "report.json");
  rmSync(report, { force: true });
  const end = await tree.run(commandOf(step, report, alone));
  if (step.suite.kind === "vitest") return vitestEnd(end, report, tree);
  const read = step.suite.kind === "cargo" ? readCargoOutput : readProgramOutput;
  return outputEnd(end, read(end.output));
}

function commandOf(step: FaultStep, report: string, alone?: TestFailure): TreeCommand {
  const { suite, part } = step;
  const seconds = suite.seconds.reduced;
  const chosen = alone === undefined ? {} : choiceOf(suite, alone);
  if (suite.kind === "vitest") {
    const [file, ...test] = chosen.part ?? [];
    return {
      program: "node_modules/.bin/vitest",
      args: vitestArguments(step, report, file === undefined ? [] : [file, ...test]),
      environment: { SVC_TEST_SIZE: "reduced" },
      seconds,
    };
  }
  if (suite.kind === "wasm") {
    const args = ["scripts/run.sh", "scripts/testWasm.ts", ...suite.arguments];
    return { program: "sh", args, environment: { SVC_TEST_SIZE: "reduced" }, seconds };
  }
  const choice = part.kind === "program" ? ["--test", part.program] : null;
  const place = suite.arguments.findIndex((one) => one === "--tests" || one === "--test");
  const args = choice === null ? suite.arguments : [...suite.arguments.slice(0, place), ...choice];
  return {
    program: "cargo",
    args: ["test", "--locked", ...args, "--", ...(chosen.filter ?? [])],
    folder: "wasm-core",
    environment: {
      CARGO_TARGET_DIR: join(ROOT, ".cache", "faults", "target"),
      SVC_TEST_SIZE: "reduced",
    },
    // Compiling has no bound in a suite of its own either.
    seconds: seconds * 2,
    enough: /^test .* \.\.\. FAILED$/m,
  };
}

function vitestArguments(
  { suite, part }: FaultStep,
  report: string,
  alone: readonly string[],
): readonly string[] {
  const projects = suite.arguments.flatMap((name) => ["--project", name]);
  const config = suite.config === undefined ? [] : ["--config", suite.config];
  const common = [
    ...config,
    ...projects,
    `--maxWorkers=${suite.workers ?? 1}`,
    "--bail=1",
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  if (alone.length > 0) return ["run", ...common, ...alone];
  if (part.kind === "related") return ["related", "--run", ...common, part.file];
  return ["run", ...common, ...(part.kind === "files" ? part.files : [])];
}

function vitestEnd(end: CommandResult, report: string, tree: FaultTree): StepEnd {
  const result = readVitestReport(textOf(report));
  // Files that were not begun when the first test failed count as broken.
  const first = result.failures.find(({ test }) => test !== null) ?? result.failures[0];
  const base = {
    files: result.files.size,
    passed: result.tally.passed,
    output: end.output,
  };
  if (first !== undefined) return { verdict: "red", failure: belowTree(first, tree), ...base };
  if (end.status === 0) return { verdict: "green", failure: null, ...base };
  return unexplained(end, base);
}

function outputEnd(end: CommandResult, result: SuiteResult): StepEnd {
  const [first] = result.failures;
  const base = { files: 0, passed: result.tally.passed, output: end.output };
  if (first !== undefined) return { verdict: "red", failure: first, ...base };
  if (end.status === 0) return { verdict: "green", failure: null, ...base };
  return unexplained(end, base);
}

/** A suite that does not end in its time is red, as in `npm test`. */
function unexplained(
  { status }: CommandResult,
  base: Pick<StepEnd, "files" | "passed" | "output">,
): StepEnd {
  if (status !== TIMED_OUT) return { verdict: "broken", failure: null, ...base };
  const failure = { file: null, test: null, reason: "it did not end in its time" };
  return { verdict: "red", failure, ...base };
}

/** The failure with its file below the root of the copy. */
function belowTree(failure: TestFailure, tree: FaultTree): TestFailure {
  const prefix = tree.root.slice(ROOT.length);
  const { file } = failure;
  return file?.startsWith(prefix) === true
    ? { ...failure, file: file.slice(prefix.length) }
    : failure;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
