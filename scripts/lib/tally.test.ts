import { describe, expect, it } from "vitest";
import { countCargo, countProgram, sumTallies, tallyText } from "./tally.ts";

describe("countCargo", () => {
  it("sums every test program, coloured or not", () => {
    const output = [
      "running 4 tests",
      "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
      "running 6 tests",
      "test result: \u001b[31mFAILED\u001b[m. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
    ].join("\n");
    expect(countCargo(output)).toEqual({ passed: 7, failed: 2, skipped: 1 });
  });

  it("finds nothing in a build error", () => {
    expect(countCargo("error: could not compile `x`")).toEqual({
      passed: 0,
      failed: 0,
      skipped: 0,
    });
  });

  it("counts what a program that died had not passed, beside another that failed", () => {
    const output = [
      "running 2 tests",
      "test good ... ok",
      "test bad ... FAILED",
      "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
      "running 5 tests",
      "test one ... ok",
      "test two ... ignored, takes minutes",
      "test three ... ok",
      "error: test failed, to rerun pass `-p a --test b`",
      "Caused by:",
      "  process didn't exit successfully: `b` (signal: 6, SIGABRT: process abort signal)",
      "running 1 test",
      "test last ... ok",
      "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
    ].join("\n");
    expect(countCargo(output)).toEqual({ passed: 4, failed: 3, skipped: 1 });
  });

  it("counts a program that died before it could name its tests", () => {
    const output = [
      "running 2 tests",
      "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
      "error: 2 targets failed:",
      "    `-p a --test b`",
      "    `-p a --test c`",
    ].join("\n");
    expect(countCargo(output)).toEqual({ passed: 1, failed: 2, skipped: 0 });
  });

  it("counts at least one failure of a program that died behind its last test", () => {
    expect(countCargo("running 1 test\ntest a ... ok\n")).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });
});

describe("countProgram", () => {
  it("takes the last count, and none where there is none", () => {
    expect(countProgram("1 passed, 2 failed\nmore\n30 passed, 4 failed\n")).toEqual({
      passed: 30,
      failed: 4,
      skipped: 0,
    });
    expect(countProgram("5 passed, 0 failed, 7 skipped\n").skipped).toBe(7);
    expect(countProgram("30 passed, 4 failed in all").passed).toBe(0);
  });

  it("reads the closing line of all suites", () => {
    const tally = sumTallies([
      { passed: 3, failed: 0, skipped: 2 },
      { passed: 4, failed: 1, skipped: 0 },
    ]);
    expect(tallyText(tally)).toBe("7 passed, 1 failed, 2 skipped");
    expect(countProgram(tallyText(tally))).toEqual(tally);
  });
});
