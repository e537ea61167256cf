/** Baseline checkout for benchmark comparisons: another commit with packages and core of its own. */
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { needCommand, ROOT, runCommand, type CommandResult } from "../lib/command.ts";
import { TREES } from "./earlierBuild.ts";

/** Characters of a hash that name a folder. */
const SHORT = 12;

/** The checkout. */
export type RefTree = {
  /** The whole hash of its commit. */
  readonly commit: string;
  /** Its root folder. */
  readonly folder: string;
};

/** Makes the checkout of a commit, branch or tag, or brings an earlier one up to date. Rejects when it cannot be built. */
export async function refTree(ref: string): Promise<RefTree> {
  const named = await git(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (named.status !== 0) throw new Error(`there is no commit ${ref}`);
  const commit = named.output.trim();
  const path = `${TREES}/${commit.slice(0, SHORT)}`;
  const folder = join(ROOT, path);
  if (!existsSync(join(folder, "package.json"))) {
    await removeOthers(commit.slice(0, SHORT));
    await needCommand("git", ["worktree", "add", "--force", "--detach", path, commit]);
  }
  keepGlue(folder);
  const built = await runCommand("sh", ["scripts/setup.sh", "core", "cargo"], {
    folder: path,
    show: true,
  });
  if (built.status !== 0) throw new Error(`${ref} could not be built`);
  return { commit, folder };
}

/** Only the newest one is kept: each takes about two gigabytes. */
async function removeOthers(name: string): Promise<void> {
  mkdirSync(join(ROOT, TREES), { recursive: true });
  for (const other of readdirSync(join(ROOT, TREES))) {
    if (other !== name) await git(["worktree", "remove", "--force", `${TREES}/${other}`]);
  }
  await needCommand("git", ["worktree", "prune"]);
}

/** The program that writes the JavaScript glue takes minutes to compile; a folder is named by what it is made of. */
function keepGlue(folder: string): void {
  const cache = join(ROOT, ".cache");
  mkdirSync(join(folder, ".cache"), { recursive: true });
  for (const name of readdirSync(cache).filter((one) => one.startsWith("glue-"))) {
    const place = join(folder, ".cache", name);
    if (!existsSync(place)) cpSync(join(cache, name), place, { recursive: true });
  }
}

function git(args: readonly string[]): Promise<CommandResult> {
  return runCommand("git", args);
}
