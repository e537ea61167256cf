/** Tests of the vitest reporter that counts tests: real runs of vitest in a scratch folder, and a run that was cut off. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../node-server/platform/testkit/temporaryFolder.ts";
import { ROOT, runCommand } from "./command.ts";
import { sumTallies, type Tally } from "./tally.ts";
import { countVitest } from "./vitestTally.ts";
import { STEP_HANG_MS } from "../../tests/testkit/hangMs.ts";

const FILES: Readonly<Record<string, string>> = {
  "hooks.test.js": `
    test("runs", () => {});
    test.skip("is left out", () => {});
    describe("broken", () => {
      beforeAll(() => { throw new Error("no"); });
      test("first", () => {});
      test("second", () => {});
      test.skip("is left out too", () => {});
    });
    describe("torn down badly", () => {
      afterAll(() => { throw new Error("no"); });
      test("passes", () => {});
    });
    test("leaves itself out", ({ skip }) => skip());`,
  "load.test.js": `throw new Error("no");`,
  "fails.test.js": `test("fails", () => { throw new Error("no"); }); test("passes", () => {});`,
  "dies.test.js": `
    test("passes", () => {});
    test("ends the process", () => process.kill(process.pid, "SIGKILL"));
    test("does not run", () => {});`,
};

let lines: readonly string[] = [];
beforeAll(async () => {
  const { path: folder, remove } = temporaryFolder();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const file = join(folder, "tally.jsonl");
  const reporter = join(ROOT, "scripts", "lib", "vitestTally.ts");
  const args = ["run", "--root", folder, "--globals", "--maxWorkers=1", `--reporter=${reporter}`];
  await runCommand("vitest", args, {
    environment: { SVC_TALLY_FILE: file },
    seconds: STEP_HANG_MS / 1000,
  });
  lines = readFileSync(file, "utf8").split("\n");
  remove();
}, STEP_HANG_MS);

/** What is counted of one file. */
function countOf(name: string): Tally {
  const own = lines.filter((line) => line.includes(`${name}"`) && !line.includes('"files"'));
  const file = `"files":["${/"file":"([^"]+)"/.exec(own[0] ?? "")?.[1]}"]`;
  return countVitest([`{${file}}`, ...own].join("\n"));
}

it("counts tests that a broken hook kept from running, and what was left out on purpose", () => {
  // Two behind the hook that broke before them, and one hook without a victim.
  expect(countOf("hooks.test.js")).toEqual({ passed: 2, failed: 3, skipped: 3 });
});

it("counts a file that does not load, and one with a test that fails", () => {
  expect(countOf("load.test.js")).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countOf("fails.test.js")).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

it("names the tests that failed, where and why", () => {
  const failure = '"failed","name":"fails","reason":"line 1: no"';
  expect(lines.filter((line) => line.includes(failure))).toHaveLength(1);
});

it("counts what a process that ended itself had left to do", () => {
  const { passed, failed } = countOf("dies.test.js");
  // What it had said of the first may be lost with it.
  expect(passed).toBeLessThanOrEqual(1);
  expect(passed + failed).toBeGreaterThanOrEqual(3);
});

it("sums all of them", () => {
  const all = countVitest(lines.join("\n"));
  const each = sumTallies(Object.keys(FILES).map(countOf));
  expect([all.passed, all.skipped]).toEqual([each.passed, each.skipped]);
  expect(all.failed).toBeGreaterThanOrEqual(each.failed);
});

it("takes what did not end for failed, and a torn line for none", () => {
  const lines = [
    { files: ["unit a", "unit b", "unit c"] },
    { file: "unit a", tests: 2 },
    { file: "unit a", state: "passed" },
    { file: "unit a", passed: 2, failed: 0, skipped: 0 },
    { file: "unit b", tests: 5 },
    { file: "unit b", state: "passed" },
    { file: "unit b", state: "skipped" },
  ].map((line) => JSON.stringify(line));
  // Two passed in a, one in b; three of b did not end, and c was not begun.
  const cut = { passed: 3, failed: 4, skipped: 1 };
  expect(countVitest(lines.join("\n"))).toEqual(cut);
  expect(countVitest(`${lines.join("\n")}\n{"file":"unit b","sta`)).toEqual(cut);
  expect(countVitest("")).toEqual({ passed: 0, failed: 0, skipped: 0 });
  expect(countVitest('{"unhandled":2}').failed).toBe(2);
});
