/** Unit tests start no program, no thread and no browser, and stretch no key: the rule, shown to fail on small files, and applied to the whole tree. */
import { describe, expect, it } from "vitest";
import { readSourceTree } from "./sourceTree.ts";
import { brokenClauses, UNIT_EXCEPTIONS, unitTestViolations } from "./unitTests.ts";

const UNIT = "node-server/app/a.test.ts";
const clausesOf = (path: string, text: string): readonly string[] =>
  brokenClauses({ path, text }).map(({ clause }) => clause);

describe("the rule", () => {
  it.each([
    ["program", 'import { spawnSync } from "node:child_process";'],
    ["program", 'const { fork } = await import("node:child_process");'],
    ["program", 'import cluster from "node:cluster";'],
    ["program", 'import { ROOT, runCommand } from "./lib/command.ts";'],
    ["program", 'import * as command from "./lib/command.ts";'],
    ["thread", 'import { MessageChannel, Worker } from "node:worker_threads";'],
    ["thread", 'import * as threads from "worker_threads";'],
    ["thread", 'import { startThread } from "../platform/thread/thread.ts";'],
    ["browser", 'import { chromium } from "playwright-core";'],
    ["browser", 'import puppeteer from "puppeteer-core";'],
    ["browser", 'import { page } from "@vitest/browser/context";'],
    ["stretching", 'import { argon2id } from "@noble/hashes/argon2.js";'],
    ["stretching", 'import { randomBytes, scryptSync } from "node:crypto";'],
    ["stretching", 'import { realCore as core } from "./testkit/keysScene.ts";'],
    ["stretching", 'export { realCore } from "./testkit/keysScene.ts";'],
  ])("finds a %s in %s", (clause, text) => {
    expect(clausesOf(UNIT, text)).toEqual([clause]);
  });

  it.each([
    'import { ROOT } from "./lib/command.ts";',
    'import { ROOT, type Run } from "./lib/command.ts";',
    'import type { Page } from "playwright-core";',
    'import { type Page } from "playwright-core";',
    'import { MessageChannel } from "node:worker_threads";',
    'import { hkdfSync } from "node:crypto";',
    'import { cheapCore } from "./testkit/keysScene.ts";',
    'const text = "node:child_process";',
  ])("passes over %s", (text) => {
    expect(clausesOf(UNIT, text)).toEqual([]);
  });

  it("looks at unit tests, wherever they are, and at nothing else", () => {
    const text = 'import { fork } from "node:child_process";';
    for (const path of ["web/a.test.ts", "tests/signer/a.test.ts", "tests/bench/x/a.test.ts"]) {
      expect(clausesOf(path, text), path).toEqual(["program"]);
    }
    for (const path of [
      "scripts/a.process.test.ts",
      "node-server/app/a.ts",
      "tests/integration/a.test.ts",
      "web/page-tests/a.page.test.tsx",
    ]) {
      expect(clausesOf(path, text), path).toEqual([]);
    }
  });

  it("passes over the one clause of an excepted file", () => {
    const [path = ""] = UNIT_EXCEPTIONS.keys();
    const text = 'import { startThread } from "../thread/thread.ts";\nimport "playwright";';
    expect(clausesOf(path, text)).toEqual(["thread", "browser"]);
    expect(unitTestViolations({ path, text })).toEqual([
      { path: `${path}:2`, message: expect.stringContaining("(browser)") },
    ]);
  });
});

describe("the whole tree", () => {
  const tree = readSourceTree();

  it("holds the rule", () => {
    expect(tree.flatMap((file) => unitTestViolations(file))).toEqual([]);
  });

  it("has every exception", () => {
    const gone = [...UNIT_EXCEPTIONS].filter(([path, { clause }]) => {
      const file = tree.find((one) => one.path === path);
      return file === undefined || !brokenClauses(file).some((one) => one.clause === clause);
    });
    expect(gone).toEqual([]);
  });
});
