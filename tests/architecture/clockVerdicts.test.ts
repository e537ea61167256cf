/** No verdict by the clock: the rule, shown to fail on small files, and applied to the whole tree. */
import { describe, expect, it } from "vitest";
import { CLOCK_USERS, clockUses, clockVerdictViolations } from "./clockVerdicts.ts";
import { readSourceTree } from "./sourceTree.ts";

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
    "const t = clock.steadyMs();",
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

  it("passes over a listed file alone", () => {
    const text = "const t = performance.now();";
    const [listed = ""] = CLOCK_USERS.keys();
    expect(clockVerdictViolations({ path: listed, text })).toEqual([]);
    expect(clockVerdictViolations({ path: TEST, text })).toEqual([
      { path: `${TEST}:1`, message: expect.stringContaining("performance.now") },
    ]);
  });
});

describe("the whole tree", () => {
  const tree = readSourceTree();

  it("has no verdict by the clock", () => {
    expect(tree.flatMap(clockVerdictViolations)).toEqual([]);
  });

  it("lists no file that uses no clock", () => {
    const users = tree.filter((file) => clockUses(file).length > 0).map(({ path }) => path);
    expect([...CLOCK_USERS.keys()].filter((path) => !users.includes(path))).toEqual([]);
  });
});
