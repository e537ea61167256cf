/** Bounds that only what hangs exceeds: the rule, shown to fail on small files, and applied to the whole tree. */
import { describe, expect, it } from "vitest";
import { hangBoundViolations, idleOwners, ownBounds } from "./hangBounds.ts";
import { readSourceTree } from "../sourceTree.ts";

const TEST = "node-server/app/a.test.ts";
const HANG = 'import { HANG_MS, STEP_HANG_MS } from "../../tests/testkit/hangMs.ts";\n';
const found = (text: string, path = TEST): number => ownBounds({ path, text }).length;

describe("the rule", () => {
  it.each([
    'it("a", () => {}, 5_000);',
    'it("a", { timeout: 5_000 }, () => {});',
    'test.skipIf(!HAS_DISK)("a", () => {}, 5_000);',
    'test.each(ALL)("%s", { timeout: 5_000 }, () => {});',
    'describe("a", { "timeout": 5_000 }, () => {});',
    "beforeAll(() => {}, 5 * 60_000);",
    "afterEach(() => {}, 5_000);",
    'const LIMIT_MS = 5_000; it("a", () => {}, 2 * LIMIT_MS);',
    'const MINUTE = 60_000; const LONG = 5 * MINUTE; it("a", { timeout: LONG }, () => {});',
    'const SLOW = { timeout: 5_000 } as const; it("a", SLOW, () => {});',
    'const T = { ms: 5_000 }; it("a", () => {}, T.ms);',
    'import { it as holds } from "vitest"; holds("a", () => {}, 5_000);',
    'const onDisk = test.skipIf(!HAS_DISK); onDisk("a", () => {}, 5_000);',
    'import { LIMIT_MS } from "./other.ts"; it("a", () => {}, LIMIT_MS);',
    'import { APP_LIMITS } from "./appLimits.ts"; await run.ended(APP_LIMITS.stopMs);',
    "await untilSo(isThere, 5_000);",
    "await node.untilTip(what, isSo, 5_000);",
    "await node.nextLine(/a/, 5_000);",
    "await startOutcome({ appdir, limitMs: 5_000 });",
    "await expect.poll(look, { timeout: 5_000 }).toBe(1);",
    "await row.waitFor({ timeout: IS_SLOW ? 9_000 : 5_000 });",
    "page.setDefaultTimeout(5_000);",
    "spawnSync(command, args, { timeout: 5_000 });",
    "const signal = AbortSignal.timeout(5_000);",
    "const config = { testTimeout: 5_000 };",
    'project("unit", FILES, 2 * MINUTE); const MINUTE = 60_000;',
    `${HANG}it("a", () => {}, Math.min(HANG_MS, 5_000));`,
    `${HANG}it("a", () => {}, HANG_MS / 600);`,
    "const wait = (limitMs = 5_000) => untilSo(isThere, limitMs);",
    `${HANG}it("a", () => {}, IS_SLOW ? HANG_MS : 5_000);`,
    "await vi.waitFor(look);",
    "await vi.waitUntil(look, { interval: 5 });",
    "await vi.waitFor(look, 5_000);",
    "await vi.waitFor(look, { timeout: 5_000 });",
    'import { vi as time } from "vitest"; await time.waitFor(look);',
    "const OFTEN = { interval: 5 }; await vi.waitFor(look, OFTEN);",
  ])("finds %s", (text) => {
    expect(found(text)).toBe(1);
  });

  it.each([
    'it("a", () => {});',
    `${HANG}it("a", () => {}, HANG_MS);`,
    `${HANG}it("a", { timeout: 6 * HANG_MS }, () => {});`,
    `${HANG}const SOON = { timeout: STEP_HANG_MS, interval: 5 }; await vi.waitFor(look, SOON);`,
    `${HANG}const LIMIT_MS = 2 * HANG_MS; beforeAll(() => {}, LIMIT_MS);`,
    `${HANG}await vi.waitFor(look, { ...OFTEN, timeout: STEP_HANG_MS });`,
    'import { HANG_MS as LONG } from "../testkit/hangMs.ts"; it("a", () => {}, LONG);',
    'import { PATIENCE_MS } from "../testkit/networkSizes.ts"; await untilSo(isSo, PATIENCE_MS);',
    'import { POLL_MS } from "../testkit/pollMs.ts"; await vi.waitFor(look, { timeout: POLL_MS });',
    `${HANG}const wait = (limitMs = HANG_MS) => untilSo(isThere, limitMs);`,
    "const wait = (limitMs: number) => untilSo(isThere, limitMs);",
    'import { PERFECT_LINE } from "./tcpProxy.ts"; await scene.line(port, PERFECT_LINE);',
    'new SvcError("run/timeout", { what, limitMs: 5_000 });',
    "const parts = { timeout: () => 5_000 };",
    "await page.waitFor();",
    "check(look, 5_000);",
    '// it("a", () => {}, 5_000);',
  ])("passes over %s", (text) => {
    expect(found(text)).toBe(0);
  });

  it("looks at tests and their helpers, and not at benchmarks and the product", () => {
    const text = "const options = { timeout: 5_000 };";
    expect(found(text, "tests/network/a.ts")).toBe(1);
    expect(found(text, "web/explorer/testkit/a.tsx")).toBe(1);
    expect(found(text, "web/vitest.config.ts")).toBe(1);
    expect(found(text, "tests/bench/node/a.ts")).toBe(0);
    expect(found(text, "node-server/app/a.ts")).toBe(0);
  });

  it("lets the full size have others, and nothing beside it", () => {
    expect(found('test.skipIf(!IS_FULL)("a", { timeout: 5_000 }, () => {});')).toBe(0);
    expect(found('test.skipIf(!IS_FULL)("a", () => {}, 5_000);')).toBe(0);
    expect(found(`${HANG}it("a", () => {}, IS_FULL ? 9_000 : HANG_MS);`)).toBe(0);
    expect(found('it("a", () => {}, IS_FULL ? 9_000 : 5_000);')).toBe(1);
  });

  it("passes over a listed file alone, and names one that is listed for nothing", () => {
    const file = { path: TEST, text: 'it("a", () => {}, 5_000);' };
    const owners = new Map([TEST, "tests/gone.ts"].map((path) => [path, "a reason"]));
    expect(hangBoundViolations(file, owners)).toEqual([]);
    expect(hangBoundViolations({ ...file, path: "tests/a.ts" }, owners)).toHaveLength(1);
    expect(idleOwners([file], owners)).toEqual(["tests/gone.ts"]);
    expect(idleOwners([{ ...file, text: 'it("a", () => {});' }], owners)).toContain(TEST);
  });

  it("ends with constants that stand for each other", () => {
    expect(found('const a = b; const b = a; it("a", () => {}, a); a.b();')).toBe(0);
  });

  it("says where, and of what", () => {
    const [one] = hangBoundViolations({ path: TEST, text: '\nit("a", () => {}, 5_000);' });
    expect(one?.path).toBe(`${TEST}:2`);
    expect(one?.message).toMatch(/^bounds a wait by 5_000; .*hangMs\.ts/);
  });
});

describe("the whole tree", () => {
  const tree = readSourceTree();

  it("bounds what tests wait for by what hangs", () => {
    expect(tree.flatMap((file) => hangBoundViolations(file))).toEqual([]);
  });

  it("lists no file that has no bound of its own", () => {
    expect(idleOwners(tree)).toEqual([]);
  });
});
