/** Unit tests start no program: the rule, shown to fail on small files, and applied to the whole tree. */
import { expect, it } from "vitest";
import { readSourceTree } from "./sourceTree.ts";
import { unitTestViolations } from "./unitTests.ts";

const found = (path: string, text: string): number => unitTestViolations({ path, text }).length;

it.each([
  ["scripts/a.test.ts", 'import { spawnSync } from "node:child_process";', 1],
  ["scripts/a.test.ts", 'import { ROOT, runCommand } from "./lib/command.ts";', 1],
  ["scripts/a.test.ts", 'import { ROOT } from "./lib/command.ts";', 0],
  ["scripts/a.process.test.ts", 'import { spawnSync } from "node:child_process";', 0],
  ["node-server/app/a.test.ts", 'const { fork } = await import("node:child_process");', 1],
  ["node-server/app/a.ts", 'import { fork } from "node:child_process";', 0],
  ["tests/integration/a.test.ts", 'import { fork } from "node:child_process";', 0],
])("%s with %s: %i broken", (path, text, expected) => {
  expect(found(path, text)).toBe(expected);
});

it("holds in the whole tree", () => {
  expect(readSourceTree().flatMap((file) => unitTestViolations(file))).toEqual([]);
});
