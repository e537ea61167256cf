/** Trial of one fault, which is caught when a test fails that passes without it. */
import { failureLine, type TestFailure } from "../lib/suiteResult.ts";
import type { Fault } from "./fault.ts";
import type { FaultRecord } from "./faultRecords.ts";
import { stepsOf, type FaultStep } from "./faultSteps.ts";
import type { FaultTree } from "./faultTree.ts";
import { runStep, type StepChoice, type StepEnd } from "./runStep.ts";

/** Failures of a step that are looked at. */
const LOOKED_AT = 6;
/** Characters of an output that are shown. */
const SHOWN = 2_000;
/** Characters that are kept of the message of a failed test. */
const REASON_LENGTH = 200;

/** Verdict of a trial. */
export type Trial = Pick<
  FaultRecord,
  "verdict" | "suite" | "file" | "test" | "reason" | "why" | "ran"
>;

/** Runs one step, as `runStep` does. */
export type RunStep = (step: FaultStep, choice: StepChoice) => Promise<StepEnd>;

/** The parts of a trial. */
export type TrialParts = {
  readonly run: RunStep;
  /** Builds what the fault has changed. False where it cannot be built. */
  readonly setUp: () => Promise<boolean>;
  /** Runs a test alone without the fault. */
  readonly runSound: RunStep;
  readonly tell: (text: string) => void;
};

/** Tries a fault in a copy of the sources. */
export async function judgeFault(
  tree: FaultTree,
  fault: Fault,
  tell: (text: string) => void,
): Promise<Trial> {
  const steps = await stepsOf(fault.file, tree.commit);
  const run: RunStep = (step, choice) => runStep(tree, step, choice);
  const runSound: RunStep = async (step, choice) => {
    const end = await tree.without(async () => {
      if (step.needsBuild) await tree.setUp();
      return run(step, choice);
    });
    // The trial goes on, with the fault built again.
    if (step.needsBuild && !hasPassed(end)) await tree.setUp();
    return end;
  };
  return tree.during(fault, () =>
    tryFault(steps, { run, runSound, setUp: () => tree.setUp(), tell }),
  );
}

/** Runs steps up to the first red one. Rejects when tests cannot be run with the fault in place. */
export async function tryFault(steps: readonly FaultStep[], parts: TrialParts): Promise<Trial> {
  const ran: string[] = [];
  let isBuilt = false;
  for (const step of steps) {
    if (step.needsBuild && !isBuilt) {
      if (!(await parts.setUp())) throw new Error("the fault cannot be built");
      isBuilt = true;
    }
    const { failure, files } = await tryStep(step, parts);
    ran.push(files > 1 ? `${step.name} (${files} files)` : step.name);
    if (failure === null) continue;
    return {
      verdict: "caught",
      suite: step.suite.name,
      file: failure.file,
      test: failure.test,
      reason: firstLine(failure.reason),
      why: step.why,
      ran,
    };
  }
  const nothing = { suite: null, file: null, test: null, reason: null, why: null };
  return { verdict: "survived", ...nothing, ran };
}

type StepTrial = { readonly failure: TestFailure | null; readonly files: number };

/** The failure of a step that tells of the fault. Where the first one does not, all of the step is run for another. */
async function tryStep(step: FaultStep, parts: TrialParts): Promise<StepTrial> {
  for (const choice of ["first", "all"] as const) {
    const end = await parts.run(step, choice);
    if (end.verdict === "broken") throw new Error(`${step.name} cannot be run:\n${end.output}`);
    const { files } = end;
    if (end.verdict === "green") return { failure: null, files };
    for (const failure of end.failures.slice(0, LOOKED_AT)) {
      parts.tell(`  red: ${step.name}: ${failureLine(failure)}`);
      if (await isCaught(step, failure, parts)) return { failure, files };
    }
    if (choice === "all") return { failure: null, files };
  }
  return { failure: null, files: 0 };
}

/** Whether a red test tells of the fault: it is red alone, too, and passes without the fault. */
async function isCaught(
  step: FaultStep,
  failure: TestFailure,
  { run, runSound, tell }: TrialParts,
): Promise<boolean> {
  if (hasPassed(await run(step, failure))) {
    tell("    a false alarm: it passes alone");
    return false;
  }
  const sound = await runSound(step, failure);
  if (hasPassed(sound)) return true;
  tell(`    it fails without the fault, too:\n${sound.output.slice(-SHOWN)}`);
  return false;
}

/** Whether the test ran and passed: one that a name does not find is green, too. */
function hasPassed(end: StepEnd): boolean {
  return end.verdict === "green" && end.passed > 0;
}

function firstLine(text: string): string {
  const [first = ""] = text.split("\n");
  return first.slice(0, REASON_LENGTH);
}
