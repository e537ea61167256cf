/** No verdict by the clock: the rule, shown to fail on small files, and applied to the whole tree. */
import { describe, expect, it } from "vitest";
import { CLOCK_USERS } from "./clockUsers.ts";
import { clockUses, clockVerdictViolations } from "./clockVerdicts.ts";
import { readSourceTree } from "../sourceTree.ts";

const TEST = "node-server/app/a.test.ts";
const found = (text: string, path = TEST): number => clockUses({ path, text }).length;

describe("the rule", () => {
  it.each([
    "const t = performance.now();",
    "const t = Date.now();",
    "const now = Date.now;",
    "const t = new Date();",
    "const t = process.hrtime.bigint();",
    "const t = process.cpuUsage();",
    "const t = systemClock.steadyMs();",
    "await systemClock.sleep(5, signal);",
    "setTimeout(look, 5);",
    "setInterval(look, 5);",
    "globalThis.setTimeout(look, 5);",
    "const signal = AbortSignal.timeout(5);",
    'import { setTimeout as pause } from "node:timers/promises";',
    "await page.waitForTimeout(5);",
    "await page.evaluate(() => performance.now());",
    "expect(processorMs(pid)).toBeLessThan(5);",
    "expect(node.processorMs()).toBeLessThan(5);",
    "expect(await thread.longestMs(50)).toBeLessThan(50);",
  ])("finds %s", (text) => {
    expect(found(text)).toBe(1);
  });

  it.each([
    'import { performance as watch } from "node:perf_hooks"; watch.now();',
    'import * as hooks from "node:perf_hooks"; hooks.performance.now();',
    'import { monitorEventLoopDelay } from "node:perf_hooks"; monitorEventLoopDelay();',
    'import { hrtime } from "node:process";',
    'import { uptime as up } from "node:process";',
    'import process from "node:process"; process.uptime();',
    'import host from "process"; host.hrtime();',
    'import { setTimeout as pause } from "node:timers"; pause(look, 5);',
    'import * as timers from "node:timers"; timers.setTimeout(look, 5);',
    'import timers from "node:timers/promises"; await timers.setTimeout(5);',
    'const { setTimeout: pause } = await import("node:timers/promises");',
    'import { systemClock as clock } from "./clock.ts"; clock.sleep(5, signal);',
  ])("finds by its import %s", (text) => {
    expect(found(text)).toBe(1);
  });

  it.each([
    "const { now } = performance;",
    "const { now } = Date;",
    "const { now: clock = other } = Date;",
    "const { hrtime } = process;",
    "const { performance: watch } = globalThis; watch.now();",
    "const { setTimeout: later } = window; later(look, 5);",
    "function look({ now } = Date) {}",
    "({ now } = Date);",
  ])("finds by its pattern %s", (text) => {
    expect(found(text)).toBe(1);
  });

  it.each([
    'Date["now"]();',
    'performance["now"]();',
    "performance[`now`]();",
    'globalThis["performance"].now();',
    'globalThis["Date"]["now"]();',
    "performance?.now();",
    "(performance as Clock).now();",
    'globalThis["setTimeout"](look, 5);',
    "new globalThis.Date();",
    "Date();",
    "Temporal.Now.instant();",
  ])("finds by any spelling %s", (text) => {
    expect(found(text)).toBe(1);
  });

  it.each([
    "const clock = Date; clock.now();",
    "const clock = Date; new clock();",
    "const clock = Date; const other = clock; other.now();",
    "let clock; clock = performance; clock.now();",
    "const later = setTimeout; later(look, 5);",
    "const all = globalThis; all.performance.now();",
    "const clock = systemClock; clock.nowMs();",
    "const look = (clock = Date) => clock.now();",
  ])("finds by another name %s", (text) => {
    expect(found(text)).toBe(1);
  });

  it.each([
    "const t = clock.steadyMs();",
    'import { performance } from "node:perf_hooks";',
    'import { setTimeout as later } from "node:timers"; later(next);',
    'import { argv } from "node:process";',
    "const { memory } = performance;",
    "const { Date: day } = globalThis; new day(0);",
    "const t = Date[now];",
    "const clock = Date; new clock(0);",
    "scene.setTimeout(look, 5);",
    "const { now } = clock;",
    "const t = new Date(0);",
    "const part = { clock: systemClock };",
    "setTimeout(next);",
    'import { setImmediate } from "node:timers/promises";',
    "// performance.now() is not read",
    'const text = "performance.now()";',
  ])("passes over %s", (text) => {
    expect(found(text)).toBe(0);
  });

  it("looks at tests and their helpers, and not at benchmarks and the product", () => {
    const text = "const t = performance.now();";
    expect(found(text, "tests/network/a.ts")).toBe(1);
    expect(found(text, "web/explorer/testkit/a.tsx")).toBe(1);
    expect(found(text, "edge/gateway/a.test.ts")).toBe(1);
    expect(found(text, "tests/bench/node/a.ts")).toBe(0);
    expect(found(text, "node-server/app/a.ts")).toBe(0);
  });

  it("lets the full size measure, and nothing beside it", () => {
    const read = "performance.now()";
    expect(found(`test.skipIf(!IS_FULL)("fast", () => ${read});`)).toBe(0);
    expect(found(`test.skipIf(!IS_FULL).each(ALL)("fast", () => ${read});`)).toBe(0);
    expect(found(`if (IS_FULL) expect(${read}).toBeLessThan(5);`)).toBe(0);
    expect(found(`const t = IS_FULL ? ${read} : null;`)).toBe(0);
    expect(found(`const t = IS_FULL ? null : ${read};`)).toBe(1);
    expect(found(`test.skipIf(IS_FULL)("fast", () => ${read});`)).toBe(1);
    expect(found(`test.skipIf(!HAS_DISK)("fast", () => ${read});`)).toBe(1);
  });

  it("passes over the listed uses of a file alone", () => {
    const [[path, { uses }] = ["", { uses: [] }]] = CLOCK_USERS;
    expect(uses).toContain("systemClock.steadyMs");
    const text = "systemClock.steadyMs();\nnew Date();";
    expect(clockVerdictViolations({ path, text })).toEqual([
      { path: `${path}:2`, message: expect.stringContaining("new Date()") },
    ]);
    expect(clockVerdictViolations({ path: TEST, text: "performance.now();" })).toEqual([
      { path: `${TEST}:1`, message: expect.stringContaining("performance.now") },
    ]);
  });
});

describe("the whole tree", () => {
  const tree = readSourceTree();

  it("has no verdict by the clock", () => {
    expect(tree.flatMap(clockVerdictViolations)).toEqual([]);
  });

  it("lists each use that there is, and no other", () => {
    const used = new Map(
      tree.map((file) => [file.path, new Set(clockUses(file).map(({ use }) => use))]),
    );
    const gone = [...CLOCK_USERS].flatMap(([path, { uses }]) =>
      uses.filter((use) => used.get(path)?.has(use) !== true).map((use) => `${path}: ${use}`),
    );
    expect(gone).toEqual([]);
  });
});
