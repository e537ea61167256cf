/** Tests of `.ci/run`, the script of a build machine, with a fake npm. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folderOfTest } from "../node-server/platform/testkit/folderOfTest.ts";

const program = fileURLToPath(new URL("../.ci/run", import.meta.url));
const GOOD_TESTS = 'echo "7 passed, 0 failed, 2 skipped"';

/** Runs it; each command of npm is the body of a shell script. */
function run(commands: {
  readonly check?: string;
  readonly test?: string;
  readonly bench?: string;
}) {
  const bin = folderOfTest();
  const { check = ":", test = GOOD_TESTS, bench = ":" } = commands;
  const npm = `#!/bin/sh\ncase "$*" in\ntest) ${test} ;;\n"run check -- --no-tests") ${check} ;;\n"run -s bench:changes") ${bench} ;;\nesac\n`;
  writeFileSync(join(bin, "npm"), npm);
  chmodSync(join(bin, "npm"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { status, stdout } = spawnSync("sh", [program], { encoding: "utf8", env });
  const lines = stdout.trimEnd().split("\n");
  return { status, last: lines.at(-1), lines };
}

it("runs set-up, checks, tests and benches by name, with their times", () => {
  const { status, last, lines } = run({});
  expect({ status, last }).toEqual({ status: 0, last: "7 passed, 0 failed, 2 skipped" });
  const steps = lines.slice(-5, -1).map((line) => line.replace(/\(\d+ s\)$/, "(N s)"));
  expect(steps).toEqual([
    "ok     setup (N s)",
    "ok     check (N s)",
    "ok     test (N s)",
    "ok     bench (N s)",
  ]);
});

it("is red with a red check, and the tests run all the same", () => {
  const { status, last, lines } = run({ check: "exit 1" });
  expect({ status, last }).toEqual({ status: 1, last: "7 passed, 1 failed, 2 skipped" });
  expect(lines.some((line) => line.startsWith("FAILED check ("))).toBe(true);
});

it("is red where something became slower", () => {
  const { status, last } = run({ bench: "exit 1" });
  expect({ status, last }).toEqual({ status: 1, last: "7 passed, 1 failed, 2 skipped" });
});

it("is red with red tests, and keeps their count", () => {
  const test = 'echo "6 passed, 1 failed, 0 skipped"; exit 1';
  expect(run({ test })).toMatchObject({ status: 1, last: "6 passed, 1 failed, 0 skipped" });
});

it("names what failed above the count", () => {
  const table = [
    " compile      run suite",
    "                   failed: of a run within a test",
    "  failed: told while the suites run",
    " compile      run suite",
    "     9 s         compile oracle: FAILED",
    "             61 s unit         6 passed, 1 failed, 0 skipped",
    `                   failed: a.test.ts > it's "b" (Error: no)`,
    "6 passed, 2 failed, 0 skipped",
  ];
  const file = join(folderOfTest(), "table");
  writeFileSync(file, `${table.join("\n")}\n`);
  const { lines } = run({ test: `/usr/bin/cat ${file}; exit 1` });
  expect(lines.slice(-3)).toEqual([
    "9 s         compile oracle: FAILED",
    `failed: a.test.ts > it's "b" (Error: no)`,
    "6 passed, 2 failed, 0 skipped",
  ]);
});

it("is red when the tests come to no count, or end badly with a good one", () => {
  expect(run({ test: "exit 0" })).toMatchObject({ status: 1, last: "0 passed, 1 failed" });
  const test = `${GOOD_TESTS}; exit 1`;
  expect(run({ test })).toMatchObject({ status: 1, last: "7 passed, 1 failed, 2 skipped" });
});
