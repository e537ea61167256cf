/**
 * The record of the last whole run, `tests/passed.json`: which tree passed `npm test -- all`, and the seconds of its suites
 * and test files. What changed since that tree is what `npm test` chooses tests for.
 *
 * The file is refused, and everything counts as changed, where somebody edited it, where it is not committed as it stands, or
 * where its tree is not that of a commit before this one.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../lib/command.ts";
import type { Git } from "../lib/sourceCommit.ts";

/** Its path below the root. */
export const PASSED_PATH = "tests/passed.json";

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/));
const seconds = v.pipe(v.number(), v.minValue(0));
const fields = {
  version: v.literal(1),
  /** The commit that passed, and the hash of its tree. */
  commit: hash,
  tree: hash,
  /** When, as `2026-11-28`. */
  day: v.string(),
  machine: v.string(),
  /** Seconds that each suite ran; compiling is not in them. */
  suites: v.record(v.string(), seconds),
  /** Seconds of each test file of tier T2. */
  files: v.record(v.string(), seconds),
};
const passedRun = v.strictObject(fields);
const passedFile = v.strictObject({ ...fields, digest: v.string() });

/** A whole run that passed. */
export type PassedRun = v.InferOutput<typeof passedRun>;

/** The last whole run, or why there is none to start from. */
export type LastPassed = { readonly passed: PassedRun } | { readonly refused: string };

/** The text of the file. */
export function passedText(run: PassedRun): string {
  return `${JSON.stringify({ ...run, digest: digestOf(run) }, null, 2)}\n`;
}

/** Reads the text of the file; a sentence says why one is refused. */
export function parsePassed(text: string): LastPassed {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), passedFile), text);
  if (!read.success) return { refused: `${PASSED_PATH} cannot be read` };
  const { digest, ...passed } = read.output;
  if (digest !== digestOf(passed)) return { refused: `${PASSED_PATH} was edited` };
  return { passed };
}

/** The last whole run that this working tree comes from. */
export async function lastPassed(git: Git, root = ROOT): Promise<LastPassed> {
  const path = join(root, PASSED_PATH);
  if (!existsSync(path)) return { refused: `there is no ${PASSED_PATH}` };
  const read = parsePassed(readFileSync(path, "utf8"));
  if ("refused" in read) return read;
  const isTracked = (await git(["ls-files", "--error-unmatch", PASSED_PATH])).status === 0;
  const isAsCommitted = (await git(["diff", "--quiet", "HEAD", "--", PASSED_PATH])).status === 0;
  if (!isTracked || !isAsCommitted) return { refused: `${PASSED_PATH} is not committed` };
  const { commit, tree } = read.passed;
  const found = await git(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  const isBefore = (await git(["merge-base", "--is-ancestor", commit, "HEAD"])).status === 0;
  if (found.output.trim() !== tree || !isBefore) {
    return { refused: `${PASSED_PATH} is not of a commit before this one` };
  }
  return read;
}

/** Over the fields in one order, whatever the order in the file. */
function digestOf(run: PassedRun): string {
  const sorted = (record: Readonly<Record<string, number>>) =>
    Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const { version, commit, tree, day, machine, suites, files } = run;
  const text = JSON.stringify([version, commit, tree, day, machine, sorted(suites), sorted(files)]);
  return createHash("sha256").update(text).digest("hex");
}
