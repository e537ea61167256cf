/** The writer of `tests/passed.json`, which keeps what a whole run of a clean working tree showed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/command.ts";
import { machineText } from "../lib/machine.ts";
import type { ChosenEnd } from "../lib/runSuites.ts";
import type { Git } from "../lib/sourceCommit.ts";
import { passedText, PASSED_PATH, type PassedRun } from "./passedFile.ts";

/** Keeps the ends of a run that passed, unless the tree was or became another than that of a commit. */
export type Keep = (ends: readonly ChosenEnd[]) => Promise<void>;

/** Looks at the working tree before a run begins. */
export async function keepPassed(git: Git, root = ROOT): Promise<Keep> {
  const before = await treeOf(git);
  return async (ends) => {
    const after = await treeOf(git);
    if (before === null || after?.commit !== before.commit) {
      console.log(`${PASSED_PATH} is not written: the working tree is not that of one commit`);
      return;
    }
    writeFileSync(join(root, PASSED_PATH), passedText(passedOf(ends, before)));
    console.log(`${PASSED_PATH} is written; commit it`);
  };
}

type Tree = { readonly commit: string; readonly tree: string };

/** The commit and the tree of a working tree without changes; null for any other. */
async function treeOf(git: Git): Promise<Tree | null> {
  const changes = await git(["status", "--porcelain"]);
  const [commit, tree] = await Promise.all([
    git(["rev-parse", "HEAD"]),
    git(["rev-parse", "HEAD^{tree}"]),
  ]);
  const isKnown = [changes, commit, tree].every(({ status }) => status === 0);
  if (!isKnown || changes.output !== "") return null;
  return { commit: commit.output.trim(), tree: tree.output.trim() };
}

/** The record of a run. */
export function passedOf(ends: readonly ChosenEnd[], tree: Tree): PassedRun {
  const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
  const files = ends
    .filter(({ suite }) => suite.tier === "T2")
    .flatMap(({ end }) => Array.from(end.files, ([file, seconds]) => [file, rounded(seconds)]));
  return {
    version: 1,
    ...tree,
    day: new Date().toISOString().slice(0, 10),
    machine: machineText(),
    suites: Object.fromEntries(ends.map(({ suite, end }) => [suite.name, rounded(end.seconds)])),
    files: Object.fromEntries(files),
  };
}
