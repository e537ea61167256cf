/**
 * Architecture rule: a test reads no clock of the machine and waits for no time of its own, so no verdict depends on how quick
 * the machine is. Windows, retries, timeouts and rates are moved by a manual clock; what comes by itself is waited for by the
 * part's own event. Figures of speed belong to `tests/bench`, or to the full size (`skipIf(!IS_FULL)`).
 */
import { isTest, isTypescript, type SourceFile, type Violation } from "./sourceTree.ts";
import { isNode, lineFinder, parseTypescript, walk, type Node } from "./typescriptFile.ts";

/** Speed is what these measure. */
const BENCH = "tests/bench/";
/** Members that read a clock, count time that has passed, or wait for a time. */
const MEMBERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["performance", new Set(["now", "timeOrigin", "eventLoopUtilization"])],
  ["Date", new Set(["now"])],
  ["process", new Set(["hrtime", "uptime", "cpuUsage", "threadCpuUsage", "resourceUsage"])],
  ["systemClock", new Set(["nowMs", "steadyMs", "bootMs", "sleep"])],
  ["AbortSignal", new Set(["timeout"])],
]);
/** The same on any object: a page that sleeps, and a process or a page whose computing is counted. */
const ANYWHERE: ReadonlySet<string> = new Set([
  "waitForTimeout",
  "processorMs",
  "longestMs",
  "provingTime",
]);
const CALLS: ReadonlySet<string> = new Set(["setTimeout", "setInterval", "processorMs"]);
/** Imports of `node:timers/promises` that wait for a time; `setImmediate` waits for a turn. */
const WAITS: ReadonlySet<string> = new Set(["setTimeout", "setInterval", "scheduler"]);
const TIMERS = "node:timers/promises";
/** True at the size that runs by name alone. */
const FULL = "IS_FULL";

/** A text without these has none of the above; a parse costs a thousand times as much. */
const HINT =
  /performance|Date|process|systemClock|AbortSignal|waitForTimeout|longestMs|provingTime|set(?:Timeout|Interval)|timers\/promises/;

/** Files that may read or wait all the same, and why no verdict is by what they read. */
export const CLOCK_USERS: ReadonlyMap<string, string> = new Map([
  [
    "node-server/platform/time/clock.test.ts",
    "tests the machine's clocks; each bound is of times read before and after",
  ],
  [
    "scripts/units/unitSeconds.test.ts",
    "tests the measure of the processor; its bound is of a sum that the same thread took",
  ],
  ["tests/conform/runConformance.ts", "prints blocks a second"],
  [
    "tests/e2e/explorer/explorer.test.ts",
    "documents are of now; a page shows their age by its own clock",
  ],
  [
    "tests/e2e/explorer/explorerServer.ts",
    "documents are of now; a page shows their age by its own clock",
  ],
  [
    "tests/e2e/explorer/graph.test.ts",
    "a replay begins in a minute that has just passed by the page's own clock",
  ],
  [
    "tests/e2e/explorer/shownBlocks.ts",
    "puts what a page did in order by the page's own timeline; `tests/bench` has the time",
  ],
  ["tests/e2e/storage/storeServer.ts", "ends a worker at a moment that is drawn"],
  [
    "tests/e2e/testkit/walletPage.ts",
    "measures a proof, which is asked for at the full size alone",
  ],
  ["tests/e2e/testkit/workedNode.ts", "is a node's clock that a test moves"],
  [
    "tests/integration/gateway/gatewayWork.test.ts",
    "a floor is set now, and held against the clock of the part",
  ],
  ["tests/integration/node/nodeFixture.ts", "is the clock of nodes"],
  ["tests/integration/node/stuckStop.ts", "is the clock of a program, which stands still"],
  ["tests/integration/node/untilFound.ts", "pauses between two looks"],
  [
    "tests/integration/walletd/walletdFixture.ts",
    "is a clock of daemons that makes their pauses short",
  ],
  ["tests/network/deposits/depositReader.ts", "pauses between two tries"],
  ["tests/network/deposits/feedReader.ts", "pauses between two tries"],
  ["tests/network/deposits/mortalReader.ts", "kills at a moment that is drawn"],
  [
    "tests/network/gateway/gatewayKills.test.ts",
    "kills at moments that are drawn, some of them within a start",
  ],
  [
    "tests/network/http/rawHttp.ts",
    "is a slow client, and one that sends no more; nothing is judged by when",
  ],
  ["tests/network/program/holdProbe.ts", "measures at the full size alone"],
  [
    "tests/network/program/memoryProbe.ts",
    "leaves out a thread that ended with the one that knew of its end",
  ],
  ["tests/network/sync/steppedClock.ts", "is the clock of a node that a test moves"],
  ["tests/network/testkit/listeningProgram.ts", "bounds what hangs"],
  ["tests/network/testkit/nodeProcess.ts", "bounds what hangs, and pauses between two looks"],
  ["tests/network/testkit/programRun.ts", "bounds what hangs"],
  ["tests/network/testkit/startedNode.ts", "bounds what hangs"],
  ["tests/network/testkit/tcpProxy.ts", "is a line, whose delay and loss are times"],
  ["tests/network/walletd/walletdFaults.test.ts", "cuts a line at moments that are drawn"],
  [
    "tests/network/walletd/walletdKills.test.ts",
    "kills at moments that are drawn, some of them within a start",
  ],
  [
    "tests/network/wallets/manyWallets.test.ts",
    "measures at the full size alone; the bounds of the reduced one are infinite",
  ],
  ["tests/plugins/movedClock.ts", "is a clock that a test moves"],
  [
    "tests/testkit/signedNow.ts",
    "programs sign with the time of day; five minutes of age are allowed",
  ],
  ["tests/testkit/smallDisk.ts", "pauses between two looks"],
  ["web/explorer/testkit/graphMain.tsx", "is the clock of a page"],
  ["web/wallet-worker/testkit/longWallet.ts", "measures for `tests/bench`"],
]);

/** Whether a file is test code under the rules of clocks and bounds. */
export function isJudged(path: string): boolean {
  if (!isTypescript(path) || path.startsWith(BENCH)) return false;
  return path.startsWith("tests/") || isTest(path) || path.includes("/testkit/");
}

/** Uses of a real clock in a file of tests, whether it is listed or not. */
export function clockUses(file: SourceFile): Violation[] {
  if (!isJudged(file.path) || !HINT.test(file.text)) return [];
  const found: { readonly start: number; readonly what: string }[] = [];
  const fullSize: Node[] = [];
  walk(parseTypescript(file), undefined, (node) => {
    const what = usedBy(node);
    if (what !== undefined) found.push({ start: node.start, what });
    const only = fullSizeOnly(node);
    if (only !== undefined) fullSize.push(only);
  });
  const lineAt = lineFinder(file.text);
  return found
    .filter(({ start }) => !fullSize.some((span) => span.start <= start && start < span.end))
    .map(({ start, what }) => ({
      path: `${file.path}:${lineAt(start)}`,
      message: `${what} in a test; move a manual clock, or wait for an event of the part`,
    }));
}

/** Uses of a real clock in files that are not listed. */
export function clockVerdictViolations(file: SourceFile): Violation[] {
  return CLOCK_USERS.has(file.path) ? [] : clockUses(file);
}

/** The clock or the wait that a node of a tree is; undefined where it is none. */
function usedBy(node: Node): string | undefined {
  if (node.type === "MemberExpression") return memberUse(node);
  if (node.type === "ImportDeclaration") return importUse(node);
  const callee = nameOf(node["callee"]);
  // Without a time a timer waits for a turn.
  const isTurn = !Array.isArray(node["arguments"]) || node["arguments"].length < 2;
  const isCall = node.type === "CallExpression" && callee !== undefined && CALLS.has(callee);
  if (isCall && !(callee === "setTimeout" && isTurn)) return callee;
  const isNow = node.type === "NewExpression" && callee === "Date" && isEmpty(node["arguments"]);
  return isNow ? "new Date()" : undefined;
}

function memberUse(node: Node): string | undefined {
  const [object, property] = [nameOf(node["object"]), nameOf(node["property"])];
  if (property === undefined) return undefined;
  if (ANYWHERE.has(property)) return property;
  const isOfGlobal = object === "globalThis" || object === "window";
  if (isOfGlobal && CALLS.has(property)) return property;
  const isUse = object !== undefined && MEMBERS.get(object)?.has(property) === true;
  return isUse ? `${object}.${property}` : undefined;
}

function importUse(node: Node): string | undefined {
  const { source, specifiers } = node;
  if (!isNode(source) || source["value"] !== TIMERS || !Array.isArray(specifiers)) return undefined;
  const names = specifiers.map((one: unknown) => (isNode(one) ? nameOf(one["imported"]) : null));
  return names.find((name) => name !== null && name !== undefined && WAITS.has(name)) ?? undefined;
}

/** Part of a syntax node that runs at the full size alone: a case that is skipped at another, and a branch under a condition. */
export function fullSizeOnly(node: Node): Node | undefined {
  const { callee, test, consequent } = node;
  if (isNode(test) && nameOf(test) === FULL && isNode(consequent)) return consequent;
  if (node.type !== "CallExpression" || !isNode(callee)) return undefined;
  // `skipIf(…)(…)`, and `skipIf(…).each(…)(…)` with a call more between.
  const each = isNode(callee["callee"]) ? callee["callee"]["object"] : undefined;
  return isSkipped(callee) || (isNode(each) && isSkipped(each)) ? node : undefined;
}

/** Whether a node is `….skipIf(!IS_FULL)`. */
function isSkipped({ callee, arguments: given }: Node): boolean {
  if (!isNode(callee) || nameOf(callee["property"]) !== "skipIf" || !Array.isArray(given)) {
    return false;
  }
  const condition: unknown = given[0];
  if (!isNode(condition) || condition["operator"] !== "!") return false;
  return nameOf(condition["argument"]) === FULL;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function nameOf(value: unknown): string | undefined {
  const name = isNode(value) ? value["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}
