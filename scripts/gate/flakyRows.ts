/**
 * The register of false alarms, `tests/flaky.json`: tests that failed, and passed when they ran alone. A test with a row is
 * not tried a second time, and a row that is older than a hundred commits fails `npm run check`: a false alarm is mended.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "../lib/command.ts";
import type { Git } from "../lib/sourceCommit.ts";

/** Its path below the root. */
export const FLAKY_PATH = "tests/flaky.json";

/** Commits after which a false alarm has to be mended. */
export const ROW_COMMITS = 100;

const flakyRow = v.strictObject({
  suite: v.string(),
  /** Null for a suite whose runner names no files. */
  file: v.nullable(v.string()),
  /** Null for a file that failed outside of its tests. */
  test: v.nullable(v.string()),
  /** The commit at which it was seen. */
  commit: v.pipe(v.string(), v.regex(/^[0-9a-f]{12}$/)),
});

/** A test that failed once without a fault. */
export type FlakyRow = v.InferOutput<typeof flakyRow>;

/** The rows of the register. Throws where the file is wrong. */
export function readFlakyRows(text = readFileSync(join(ROOT, FLAKY_PATH), "utf8")) {
  return v.parse(v.pipe(v.string(), v.parseJson(), v.array(flakyRow)), text);
}

/** Whether a row is about the same test as another one. */
export function isSameTest(a: Omit<FlakyRow, "commit">, b: Omit<FlakyRow, "commit">): boolean {
  return a.suite === b.suite && a.file === b.file && a.test === b.test;
}

/** A sentence for each row that is too old, or names a commit that is not before this one. */
export async function oldRows(rows: readonly FlakyRow[], git: Git): Promise<readonly string[]> {
  const found: string[] = [];
  for (const row of rows) {
    const name = [row.suite, row.file, row.test].filter((part) => part !== null).join(" > ");
    const isBefore = (await git(["merge-base", "--is-ancestor", row.commit, "HEAD"])).status === 0;
    if (!isBefore) {
      found.push(`${name}: ${row.commit} is not a commit before this one`);
      continue;
    }
    const { output } = await git(["rev-list", "--count", `${row.commit}..HEAD`]);
    const age = Number(output);
    if (age > ROW_COMMITS) found.push(`${name}: flaky for ${age} commits; mend it`);
  }
  return found;
}
