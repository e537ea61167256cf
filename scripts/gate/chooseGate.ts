/**
 * The choice of test files of T2 for a working tree: those that changed since the last whole run, those that show the rooms
 * which changed, and a draw by commit, within a budget of time.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSourceTree } from "../../tests/architecture/sourceTree.ts";
import { chooseFiles, type Choice } from "../choice/chooseFiles.ts";
import type { ChangedLock } from "../choice/lockfileRooms.ts";
import { reachOfChange, type Reach } from "../choice/reachOfChange.ts";
import { isT2Test } from "../choice/roomOfPath.ts";
import { SUITE_UNIT } from "../choice/shownRooms.ts";
import { ROOT } from "../lib/command.ts";
import type { ChosenSuite } from "../lib/runSuites.ts";
import type { Git } from "../lib/sourceCommit.ts";
import { chosenSuites, FLOW_FILES, type Suite } from "../suites.ts";
import { changedPaths, textIn } from "./changedPaths.ts";
import { lastPassed, type LastPassed } from "./passedFile.ts";

/** Seconds that the chosen tests may run, as they were measured; two suites run at a time. */
export const BUDGET_SECONDS = 480;
/** Seconds of a test file that no run has measured. */
export const UNKNOWN_SECONDS = 30;
/** Hexadecimal digits of the commit that seed the draw. */
const DRAW_DIGITS = 8;
const LOCKS = ["package-lock.json", "wasm-core/Cargo.lock"] as const;

/** The chosen suites, and the text that says why. */
export type GateChoice = { readonly suites: readonly ChosenSuite[]; readonly text: string };

/** Chooses for the working tree. */
export async function chooseGate(git: Git): Promise<GateChoice> {
  const sources = readSourceTree();
  const last = await lastPassed(git);
  const paths = sources.map(({ path }) => path);
  const all = unitsOf(paths, chosenSuites());
  const reach = await reachSince(last, git, sources);
  const head = (await git(["rev-parse", "HEAD"])).output.slice(0, DRAW_DIGITS);
  const choice = chooseFiles({
    ...reach,
    all,
    seconds: secondsOf(last, chosenSuites()),
    unknownSeconds: UNKNOWN_SECONDS,
    budgetSeconds: BUDGET_SECONDS,
    draw: Number.parseInt(head, 16),
  });
  const chosen = choice.chosen.map(({ file }) => file);
  return { suites: suitesOf(chosen, chosenSuites()), text: choiceText(choice, reach, last) };
}

/** Everything that can be chosen: test files of vitest's suites, and the other suites as wholes. */
export function unitsOf(paths: readonly string[], suites: readonly Suite[]): readonly string[] {
  const files = paths.filter((path) => isT2Test(path) && !FLOW_FILES.includes(path));
  const wholes = suites
    .filter(({ kind }) => kind !== "vitest")
    .map(({ name }) => SUITE_UNIT + name);
  return [...files, ...wholes];
}

/** The chosen units by suite, in the order of the table. */
export function suitesOf(
  units: readonly string[],
  suites: readonly Suite[],
): readonly ChosenSuite[] {
  return suites.flatMap((suite) => {
    if (suite.kind !== "vitest") return units.includes(SUITE_UNIT + suite.name) ? [{ suite }] : [];
    const files = units.filter((unit) => unit.startsWith(`tests/${suite.name}/`));
    return files.length > 0 ? [{ suite, files }] : [];
  });
}

/** Seconds that a unit adds to the run: files of a suite run several at a time. */
export function secondsOf(last: LastPassed, suites: readonly Suite[]): ReadonlyMap<string, number> {
  if ("refused" in last) return new Map();
  const { files, suites: whole } = last.passed;
  const workers = (file: string): number =>
    suites.find(({ name }) => file.startsWith(`tests/${name}/`))?.workers ?? 1;
  return new Map([
    ...Object.entries(files).map(([file, seconds]) => [file, seconds / workers(file)] as const),
    ...Object.entries(whole).map(([name, seconds]) => [SUITE_UNIT + name, seconds] as const),
  ]);
}

async function reachSince(
  last: LastPassed,
  git: Git,
  sources: ReturnType<typeof readSourceTree>,
): Promise<Reach> {
  if ("refused" in last) return { changed: [], helped: [], rooms: [], everything: true };
  const { tree } = last.passed;
  const paths = await changedPaths(tree, git);
  const locks: ChangedLock[] = [];
  for (const path of LOCKS) {
    const before = paths.includes(path) ? await textIn(tree, path, git) : null;
    if (before === null) continue;
    locks.push({ path, before, after: readFileSync(join(ROOT, path), "utf8") });
  }
  return reachOfChange({ paths, locks }, sources);
}

/** The text of a choice: each unit that runs with its reason, and each that did not fit. */
function choiceText(choice: Choice, reach: Reach, last: LastPassed): string {
  const since =
    "refused" in last
      ? `everything counts as changed: ${last.refused}`
      : `since ${last.passed.commit.slice(0, 12)}: ${reach.everything ? "everything" : namesOf(reach)}`;
  const wanted = choice.left.filter(({ why }) => why !== "drawn");
  const drawn = choice.left.length - wanted.length;
  return [
    `# T2: ${since}`,
    ...choice.chosen.map(({ file, why }) => `  runs ${file} (${why})`),
    ...wanted.map(({ file, why }) => `  no time for ${file} (${why})`),
    `  not drawn: ${drawn}; npm test -- all runs everything`,
  ].join("\n");
}

function namesOf({ changed, helped, rooms }: Reach): string {
  const files = changed.length + helped.length;
  const parts = [
    files > 0 ? `${files} test files` : "",
    rooms.length > 0 ? `the rooms ${rooms.join(", ")}` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "nothing that T2 can reach" : parts.join(" and ");
}
