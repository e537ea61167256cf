/** Tests of the register of false alarms. */
import { expect, it } from "vitest";
import type { Git } from "../lib/sourceCommit.ts";
import { oldRows, readFlakyRows, ROW_COMMITS } from "./flakyRows.ts";

const row = { suite: "e2e", file: "tests/e2e/a.test.ts", test: "b c", commit: "0123456789ab" };

/** Git of a history in which the row's commit lies so many commits back, or nowhere. */
function gitOf(age: number | null): Git {
  return ([verb]) => {
    const status = verb === "merge-base" && age === null ? 1 : 0;
    return Promise.resolve({ status, output: verb === "rev-list" ? `${age}\n` : "", seconds: 0 });
  };
}

it("is in the repository, in its form", () => {
  expect(Array.isArray(readFlakyRows())).toBe(true);
  expect(readFlakyRows(JSON.stringify([row]))).toEqual([row]);
  for (const wrong of ["", "{}", JSON.stringify([{ ...row, commit: "main" }]), "[{}]"]) {
    expect(() => readFlakyRows(wrong)).toThrow("Invalid");
  }
});

it("keeps a row for so many commits and no longer", async () => {
  expect(await oldRows([row], gitOf(ROW_COMMITS))).toEqual([]);
  expect(await oldRows([row], gitOf(ROW_COMMITS + 1))).toEqual([
    "e2e > tests/e2e/a.test.ts > b c: flaky for 101 commits; mend it",
  ]);
});

it("takes no row of a commit that is not there", async () => {
  expect(await oldRows([row], gitOf(null))).toEqual([
    "e2e > tests/e2e/a.test.ts > b c: 0123456789ab is not a commit before this one",
  ]);
});
