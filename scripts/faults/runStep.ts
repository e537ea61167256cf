/** Runner of one step in the copy of the sources, and the reader of its results. */
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

/** Bound of a step that hangs with its fault; without it the same step has to end in that time. */
const STEP_SECONDS = 900;
/** Message of a file that took too much of the processor, which tells nothing of a fault. */
const TOO_SLOW = /calibration loops/;

/** The end of a step. `broken`: its tests could not be run, which says nothing of them. */
export type StepEnd = {
  readonly verdict: "green" | "red" | "broken";
  /** Tests that failed, and then files that failed outside of their tests; none for a green step. */
  readonly failures: readonly TestFailure[];
  /** Test files that ran, where the runner names them. */
  readonly files: number;
  /** Tests that passed. */
  readonly passed: number;
  readonly output: string;
};

/** Part of a step that runs: up to its first failure, all of it, or one failed test alone. */
export type StepChoice = "first" | "all" | TestFailure;

/** Runs a step in the copy. */
export async function runStep(
  tree: FaultTree,
  step: FaultStep,
  choice: StepChoice,
): Promise<StepEnd> {
  const report = join(tree.root, ".cache", "report.json");
  rmSync(report, { force: true });
  const end = await tree.run(commandOf(step, report, choice));
  if (step.suite.kind === "vitest") return vitestEnd(end, report, tree);
  const read = step.suite.kind === "cargo" ? readCargoOutput : readProgramOutput;
  return outputEnd(end, read(end.output));
}

function commandOf(step: FaultStep, report: string, choice: StepChoice): TreeCommand {
  const { suite, part } = step;
  const seconds = Math.min(suite.seconds.reduced, STEP_SECONDS);
  const chosen = typeof choice === "string" ? {} : choiceOf(suite, choice);
  if (suite.kind === "vitest") {
    return {
      program: "node_modules/.bin/vitest",
      args: [
        ...vitestArguments(step, report, chosen.part ?? []),
        ...(choice === "all" ? [] : ["--bail=1"]),
      ],
      environment: { SVC_TEST_SIZE: "reduced" },
      seconds,
    };
  }
  if (suite.kind === "wasm") {
    const args = ["scripts/run.sh", "scripts/testWasm.ts", ...suite.arguments];
    return { program: "sh", args, environment: { SVC_TEST_SIZE: "reduced" }, seconds };
  }
  const program = part.kind === "program" ? ["--test", part.program] : null;
  const place = suite.arguments.findIndex((one) => one === "--tests" || one === "--test");
  const args =
    program === null ? suite.arguments : [...suite.arguments.slice(0, place), ...program];
  return {
    program: "cargo",
    args: ["test", "--locked", ...args, "--", ...(chosen.filter ?? [])],
    folder: "wasm-core",
    environment: {
      CARGO_TARGET_DIR: join(ROOT, ".cache", "faults", "target"),
      SVC_TEST_SIZE: "reduced",
    },
    // Compiling has no bound in a suite of its own either.
    seconds: suite.seconds.reduced * 2,
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
  const told = result.failures.filter(({ reason }) => !TOO_SLOW.test(reason));
  // Files that were not begun when the first test failed count as broken: they come last.
  const failures = told
    .toSorted((a, b) => Number(a.test === null) - Number(b.test === null))
    .map((one) => belowTree(one, tree));
  const hasPassed = end.status === 0 || (told.length === 0 && result.failures.length > 0);
  return endOf(end, { failures, hasPassed, files: result.files.size, passed: result.tally.passed });
}

function outputEnd(end: CommandResult, { failures, tally }: SuiteResult): StepEnd {
  return endOf(end, { failures, hasPassed: end.status === 0, files: 0, passed: tally.passed });
}

type Read = Pick<StepEnd, "failures" | "files" | "passed"> & { readonly hasPassed: boolean };

/** A suite that does not end in its time is red, as in `npm test`. */
function endOf({ status, output }: CommandResult, { hasPassed, ...read }: Read): StepEnd {
  if (read.failures.length > 0) return { verdict: "red", ...read, output };
  if (hasPassed) return { verdict: "green", ...read, output };
  if (status !== TIMED_OUT) return { verdict: "broken", ...read, output };
  const failure = { file: null, test: null, reason: "it did not end in its time" };
  return { verdict: "red", ...read, failures: [failure], output };
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
