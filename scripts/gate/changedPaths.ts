/** The files that differ between the last whole run and the working tree, and the lockfiles as they were then. */
import type { Git } from "../lib/sourceCommit.ts";

/** Paths below the root that were added, changed or removed since a tree, those that git does not have yet among them. */
export async function changedPaths(tree: string, git: Git): Promise<readonly string[]> {
  const changed = await need(git, ["diff", "--name-only", "--no-renames", "-z", tree, "--"]);
  const added = await need(git, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const paths = [changed, added].flatMap((text) => text.split("\0").filter((path) => path !== ""));
  return [...new Set(paths)].toSorted();
}

/** The text of a file in a tree; null where it is not there. */
export async function textIn(tree: string, path: string, git: Git): Promise<string | null> {
  const { status, output } = await git(["show", `${tree}:${path}`]);
  return status === 0 ? output : null;
}

async function need(git: Git, args: readonly string[]): Promise<string> {
  const { status, output } = await git(args);
  if (status !== 0) throw new Error(`git ${args.join(" ")} failed:\n${output}`);
  return output;
}
