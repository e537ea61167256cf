/** Tests of what the reports of vitest and cargo are read as. */
import { describe, expect, it } from "vitest";
import { ROOT } from "./command.ts";
import { readOutsideFacts } from "./outsideFacts.ts";
import {
  failureLine,
  readCargoOutput,
  readProgramOutput,
  readVitestReport,
  suiteFailure,
  withOutsideFacts,
} from "./suiteResult.ts";

const test = (name: string, status: string, ...failureMessages: string[]) => ({
  ancestorTitles: name.split(" > ").slice(0, -1),
  title: name.split(" > ").at(-1),
  status,
  duration: 5,
  failureMessages,
});

const file = (name: string, status: string, message: string, ...tests: unknown[]) => ({
  name: `${ROOT}${name}`,
  status,
  message,
  assertionResults: tests,
});

describe("vitest's report", () => {
  const text = JSON.stringify({
    numTotalTests: 6,
    testResults: [
      file("a.test.ts", "passed", "", test("group > holds", "passed"), test("later", "skipped")),
      file("b.test.ts", "failed", "", test("a list > is sorted", "failed", "Error: no\n at b:9")),
      file("c.test.ts", "failed", "it does not load"),
      file("d.test.ts", "failed", "hook failed", test("not run", "skipped")),
    ],
  });

  it("is counted, a file that failed outside of its tests as one failure", () => {
    expect(readVitestReport(text).tally).toEqual({ passed: 1, failed: 3, skipped: 2 });
  });

  it("names what failed, where and why", () => {
    expect(readVitestReport(text).failures).toEqual([
      { file: "b.test.ts", test: "a list > is sorted", reason: "Error: no\n at b:9" },
      { file: "c.test.ts", test: null, reason: "it does not load" },
      { file: "d.test.ts", test: null, reason: "hook failed" },
    ]);
  });

  it("is completed by what it leaves out, a file's failures outside of its tests as one", () => {
    const facts = readOutsideFacts(
      JSON.stringify({
        groups: [
          { file: "b.test.ts", group: "a list", message: "no disk" },
          { file: "d.test.ts", group: "a tree", message: "no root" },
        ],
        uncaught: ["closed"],
        seconds: { "b.test.ts": 2.5 },
        loads: { "b.test.ts": [7, 5, 3] },
      }),
    );
    const { tally, failures, files } = withOutsideFacts(readVitestReport(text), facts);
    expect(tally).toEqual({ passed: 1, failed: 5, skipped: 2 });
    expect(failures.filter(({ test: name }) => name === null)).toEqual([
      { file: "c.test.ts", test: null, reason: "it does not load" },
      {
        file: "d.test.ts",
        test: null,
        reason: 'hook failed\na hook of "a tree" failed: no root',
      },
      {
        file: "b.test.ts",
        test: null,
        reason: 'a hook of "a list" failed: no disk',
        load: [7, 5, 3],
      },
      { file: null, test: null, reason: "an error that no test caught: closed" },
    ]);
    expect(files.get("b.test.ts")).toBe(2.5);
  });

  it("stands alone where nobody wrote what it leaves out", () => {
    const result = readVitestReport(text);
    for (const torn of ["", "{", "[]"]) {
      expect(withOutsideFacts(result, readOutsideFacts(torn))).toEqual(result);
    }
  });

  it("that is missing or torn has no tests", () => {
    for (const torn of ["", text.slice(0, -9), "[]"]) {
      expect(readVitestReport(torn).tally).toEqual({ passed: 0, failed: 0, skipped: 0 });
    }
  });
});

describe("the output of cargo", () => {
  const output = [
    "running 3 tests",
    "test a::holds ... ok",
    "test a::breaks ... \u001b[31mFAILED\u001b[m",
    "test b::breaks ... FAILED",
    "failures:",
    "",
    "---- a::breaks stdout ----",
    "thread 'a::breaks' panicked:",
    "one is two",
    "",
    "---- b::breaks stdout ----",
    "two is three",
    "",
    "failures:",
    "    a::breaks",
    "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
  ].join("\n");

  it("names the failed tests with what they said, coloured or not", () => {
    const { tally, failures } = readCargoOutput(output);
    expect(tally).toEqual({ passed: 1, failed: 2, skipped: 0 });
    expect(failures.map((one) => [one.test, one.reason])).toEqual([
      ["a::breaks", "thread 'a::breaks' panicked:\none is two"],
      ["b::breaks", "two is three"],
    ]);
  });

  it("of a program is read the same way", () => {
    const { tally, failures } = readProgramOutput(
      "test c (2 tests) ... FAILED\n3 passed, 1 failed",
    );
    expect(tally).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(failures).toEqual([{ file: null, test: "c (2 tests)", reason: "" }]);
  });
});

it("a failure is told in a line", () => {
  const none = { file: null, test: null, reason: "stopped" };
  expect(failureLine(none)).toBe("stopped");
  expect(failureLine({ file: "a.test.ts", test: "b c", reason: "Error: no\nat" })).toBe(
    "a.test.ts > b c (Error: no)",
  );
  const failed = suiteFailure(readProgramOutput("1 passed, 0 failed"), "stopped");
  expect([failed.tally.failed, failed.failures]).toEqual([1, [none]]);
});
