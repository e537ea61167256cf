import { describe, expect, it } from "vitest";
import { countCargo, countProgram, countVitest } from "./tally.ts";

describe("countCargo", () => {
  it("sums every test program, coloured or not", () => {
    const output = [
      "running 3 tests",
      "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
      "test result: \u001b[31mFAILED\u001b[m. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
    ].join("\n");
    expect(countCargo(output)).toEqual({ passed: 7, failed: 2 });
  });

  it("finds nothing in a build error", () => {
    expect(countCargo("error: could not compile `x`")).toEqual({ passed: 0, failed: 0 });
  });
});

describe("countProgram", () => {
  it("takes the last count, and none where there is none", () => {
    expect(countProgram("1 passed, 2 failed\nmore\n30 passed, 4 failed\n")).toEqual({
      passed: 30,
      failed: 4,
    });
    expect(countProgram("30 passed, 4 failed in all")).toEqual({ passed: 0, failed: 0 });
  });
});

describe("countVitest", () => {
  it("counts tests, and files that did not load", () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      testResults: [
        { status: "failed", assertionResults: [{}] },
        { status: "failed", assertionResults: [] },
        { status: "passed", assertionResults: [{}] },
      ],
    };
    expect(countVitest(JSON.stringify(report))).toEqual({ passed: 5, failed: 2 });
  });

  it("finds nothing in an empty report", () => {
    expect(countVitest("{}")).toEqual({ passed: 0, failed: 0 });
  });
});
