/** Tests of the table that ends a run of the gate. */
import { expect, it } from "vitest";
import { SUITES } from "../suites.ts";
import { gateTable } from "./runGate.ts";

it("shows compiling and running apart, chosen files, and failed tests below their suite", () => {
  const [suite] = SUITES;
  if (suite === undefined) throw new Error("there is no suite");
  const failures = [{ file: "a.test.ts", test: "b", reason: "Error: no" }];
  const tally = { passed: 3, failed: 1, skipped: 0 };
  const end = { tally, failures, files: new Map(), status: 1, seconds: 61.4 };
  const compiled = [
    { names: ["core", "sim"], seconds: 300, status: 0 },
    { names: ["oracle"], seconds: 9, status: 1 },
  ];
  expect(gateTable([{ suite, files: ["x", "y"], end }], compiled).split("\n")).toEqual([
    " compile      run suite",
    "   300 s         compile core, sim",
    "     9 s         compile oracle: FAILED",
    "             61 s unit         3 passed, 1 failed, 0 skipped (2 files)",
    "                   failed: a.test.ts > b (Error: no)",
  ]);
});
