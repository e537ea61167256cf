/** Steps in which a fault is tried: the tests of T0 and T1 that reach its file, and what the rule chooses of T2. */
import { dirname } from "node:path";
import { readSourceTree } from "../../tests/architecture/sourceTree.ts";
import { chooseFiles } from "../choice/chooseFiles.ts";
import { reachOfChange, type Reach } from "../choice/reachOfChange.ts";
import { SHOWN_BY, SUITE_UNIT } from "../choice/shownRooms.ts";
import { cratesWithTests, programOf } from "../full-runs/testModules.ts";
import { BUDGET_SECONDS, secondsOf, UNKNOWN_SECONDS, unitsOf } from "../gate/chooseGate.ts";
import { lastPassed } from "../gate/passedFile.ts";
import { gitHere } from "../lib/sourceCommit.ts";
import { chosenSuites, FLOW_FILES, SUITES, type Suite } from "../suites.ts";

/** One step: a suite, or a part of it. */
export type FaultStep = {
  /** Suite, and test file where it is one. */
  readonly name: string;
  readonly suite: Suite;
  /** The selection of its tests: those whose imports reach a file, some test files or folders, a program of cargo, or all. */
  readonly part:
    | { readonly kind: "related"; readonly file: string }
    | { readonly kind: "files"; readonly files: readonly string[] }
    | { readonly kind: "program"; readonly program: string }
    | { readonly kind: "whole" };
  /** Why it is here: "reaches", or the reason of the choice. */
  readonly why: string;
  /** Whether it starts programs, or pages, that are built first. */
  readonly needsBuild: boolean;
};

/** Suites of vitest in T0 and T1 whose files are found by their imports, and the parts of the tree that they can show. */
const REACHING: readonly (readonly [suite: string, parts: RegExp])[] = [
  ["unit", /^(shared|node-server|web|scripts|tests)\//],
  ["processes", /^(shared|node-server|web|scripts)\//],
  ["contract", /^(shared|node-server)\//],
  ["decoders", /^(shared|node-server|tests)\//],
  ["edge", /^edge\//],
  ["pages", /^(shared|web)\//],
  ["conform", /^(shared\/core|node-server\/engine)\//],
];
/** Sources that the suite `contract` tests: it is quicker than all units that stand on a store. */
const STORES = "node-server/storage/";
const CRATE = /^wasm-core\/crates\/([^/]+)\//;
/** Crates that are no part of the suite `core`. */
const OUTSIDE_CORE = /^(sim|fuzz|oracle)$/;

/** The steps for a fault in a file, in their order: whatever is quick and sharp comes first, the first red one ends its trial. */
export async function stepsOf(file: string, commit: string): Promise<readonly FaultStep[]> {
  const crate = CRATE.exec(file)?.[1];
  const quick = crate === undefined ? reachingSteps(file) : crateSteps(crate);
  const sources = readSourceTree();
  const reach = reachOfChange({ paths: [file], locks: [] }, sources);
  const paths = sources.map(({ path }) => path);
  return [...quick, ...flowSteps(reach), ...(await chosenSteps(reach, paths, commit))];
}

/** T0, the tests beside the file first, and of T1 what reaches a file of TypeScript by imports. */
export function reachingSteps(file: string): readonly FaultStep[] {
  const base = { why: "reaches", needsBuild: false } as const;
  const order = file.startsWith(STORES) ? REACHING.toSorted(contractFirst) : REACHING;
  const steps: readonly FaultStep[] = order
    .filter(([, parts]) => parts.test(file))
    .map(([name]) => ({ ...base, name, suite: suiteOf(name), part: { kind: "related", file } }));
  if (!steps.some(({ name }) => name === "unit")) return steps;
  const part = { kind: "files", files: [`${dirname(file)}/`] } as const;
  return [{ ...base, name: "unit beside", suite: suiteOf("unit"), part }, ...steps];
}

function contractFirst(
  [one]: (typeof REACHING)[number],
  [other]: (typeof REACHING)[number],
): number {
  return Number(other === "contract") - Number(one === "contract");
}

/** The tests of a crate, then those of all that stand on it. */
export function crateSteps(crate: string): readonly FaultStep[] {
  if (OUTSIDE_CORE.test(crate)) return [];
  const step = { suite: suiteOf("core"), why: "reaches", needsBuild: false } as const;
  const whole: FaultStep = { ...step, name: "core", part: { kind: "whole" } };
  if (!cratesWithTests().includes(crate)) return [whole];
  const program = programOf(crate);
  return [{ ...step, name: `core ${program}`, part: { kind: "program", program } }, whole];
}

/** Flows that show the rooms: T1 has them whole, so the rule does not choose them. */
function flowSteps({ rooms }: Reach): readonly FaultStep[] {
  const named = rooms.flatMap((room) => SHOWN_BY[room] ?? []);
  return named
    .filter((unit) => FLOW_FILES.includes(unit))
    .map((unit) => fileStep(suiteOf("flows"), unit, "reaches"));
}

/** Test files that the rule chooses, as it does for a change of which nothing is known but its paths. */
async function chosenSteps(
  reach: Reach,
  paths: readonly string[],
  commit: string,
): Promise<readonly FaultStep[]> {
  const last = await lastPassed(gitHere);
  const suites = chosenSuites();
  const { chosen } = chooseFiles({
    ...reach,
    all: unitsOf(paths, suites),
    seconds: secondsOf(last, suites),
    unknownSeconds: UNKNOWN_SECONDS,
    budgetSeconds: BUDGET_SECONDS,
    draw: Number.parseInt(commit.slice(0, 8), 16),
  });
  return chosen.map(({ file, why }) => unitStep(file, why));
}

function unitStep(unit: string, why: string): FaultStep {
  if (unit.startsWith(SUITE_UNIT)) {
    const suite = suiteOf(unit.slice(SUITE_UNIT.length));
    return { name: suite.name, suite, part: { kind: "whole" }, why, needsBuild: false };
  }
  return fileStep(suiteOf(unit.split("/")[1] ?? ""), unit, why);
}

function fileStep(suite: Suite, file: string, why: string): FaultStep {
  const name = `${suite.name} ${file}`;
  return { name, suite, part: { kind: "files", files: [file] }, why, needsBuild: true };
}

function suiteOf(name: string): Suite {
  const suite = SUITES.find((one) => one.name === name);
  if (suite === undefined) throw new Error(`no suite called ${name}`);
  return suite;
}
