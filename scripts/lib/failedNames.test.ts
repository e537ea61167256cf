/** Which tests failed, read out of what runners print. */
import { expect, it } from "vitest";
import { ROOT } from "./command.ts";
import { failedInOutput, failedInVitest } from "./failedNames.ts";

it("reads the failed tests of cargo, coloured or not", () => {
  const output = [
    "test a::holds ... ok",
    "test a::breaks ... \u001b[31mFAILED\u001b[m",
    "test canary (1 tests) ... FAILED",
    "test result: FAILED. 1 passed; 2 failed",
  ];
  expect(failedInOutput(output.join("\n"))).toEqual(["a::breaks", "canary (1 tests)"]);
});

it("reads the failed tests of vitest, and files without one", () => {
  const lines = [
    { files: ["unit a", "unit b"] },
    { file: `unit ${ROOT}scripts/a.test.ts`, state: "passed" },
    { file: `unit ${ROOT}scripts/a.test.ts`, state: "failed", name: "a list > is sorted" },
    { file: `unit ${ROOT}scripts/a.test.ts`, state: "failed", name: "ends", reason: "line 9: no" },
    { file: `unit ${ROOT}scripts/a.test.ts`, passed: 1, failed: 2, skipped: 0 },
    { file: `unit ${ROOT}scripts/b.test.ts`, passed: 0, failed: 1, skipped: 0 },
    { file: `unit ${ROOT}scripts/c.test.ts`, passed: 3, failed: 0, skipped: 0 },
  ];
  expect(failedInVitest(`${lines.map((one) => JSON.stringify(one)).join("\n")}\n{"fi`)).toEqual([
    "scripts/a.test.ts a list > is sorted",
    "scripts/a.test.ts ends (line 9: no)",
    "scripts/b.test.ts",
  ]);
});

it("shows so many names, and how many more there are", () => {
  const output = Array.from({ length: 25 }, (_, index) => `test t${index} ... FAILED`);
  expect(failedInOutput(output.join("\n")).slice(19)).toEqual(["t19", "and 5 more"]);
});
