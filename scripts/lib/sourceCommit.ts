/** Git commit of the sources that a long run is about, documents aside. */
import { runCommand, type CommandResult } from "./command.ts";

/** Runs git in the repository that is asked about. */
export type Git = (args: readonly string[]) => Promise<CommandResult>;

/** Git in this repository. */
export const gitHere: Git = (args) => runCommand("git", args);

/**
 * Folder of the records of long runs, a file for each commit; it is kept with the sources, so that another machine can
 * resume.
 */
export const RECORDS = "docs/records";

/** Everything that a test or a program can read: all but documents and the records themselves. */
const SOURCES: readonly string[] = [".", ":!*.md", `:!${RECORDS}`];

/**
 * The whole hash of the newest commit that changed sources. Commits after it that change documents alone leave it as it is,
 * so what was seen of it can be written down without being lost. Rejects outside a git repository.
 */
export async function sourceCommit(git: Git = gitHere): Promise<string> {
  const newest = await git(["log", "-1", "--format=%H", "--", ...SOURCES]);
  if (newest.status !== 0 || newest.output === "") {
    throw new Error(`this needs a commit:\n${newest.output}`);
  }
  return newest.output.trim();
}

/** The same commit, of a working tree that holds exactly its sources. Rejects when there are changes to commit. */
export async function checkedOutSources(git: Git = gitHere): Promise<string> {
  const changes = await git(["status", "--porcelain", "--", ...SOURCES]);
  if (changes.status !== 0 || changes.output !== "") {
    throw new Error(`there are changes to commit:\n${changes.output}`);
  }
  return sourceCommit(git);
}
