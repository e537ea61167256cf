/** A node whose output nobody reads goes on: its reader is gone or stands still. A terminal that is closed stops it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { processorMs } from "../../bench/node/processorTime.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { freePort } from "../testkit/freePort.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { ProgramRun, type OutputName } from "../testkit/programRun.ts";

const FLOOD_LOG = fileURLToPath(new URL("floodLog.ts", import.meta.url));
const NETWORK = "svc-simnet";
const TERMINAL = "/usr/bin/script";
/** Questions over which a program that has nothing else to do is watched, and rounds of its event loop for each. */
const QUESTIONS = 50;
const ROUNDS_EACH = 100;
/** The same at the full size: milliseconds, and how much of a core all its threads may use. */
const WATCHED_MS = 2_000;
const IDLE_PART = 0.5;

let folder: TemporaryFolder;
let port: number;
let args: readonly string[];
beforeEach(async () => {
  folder = temporaryFolder();
  port = await freePort();
  const servers = [`--httplisten=127.0.0.1:${port}`, "--nogrpc", "--maxinpeers=0", "--outpeers=0"];
  args = ["node", "--simnet", `--appdir=${folder.path}`, ...servers, "--loglevel=debug"];
});
afterEach(() => folder.remove());

/** Resolves when the node serves; it cannot say so. */
async function untilServed(): Promise<void> {
  const serves = async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/v1/tip`).then(
      ({ ok }) => ok,
      () => false,
    );
  await untilSo(serves, PATIENCE_MS);
}

/** How often its event loop has gone round. */
async function roundsOf(node: ProgramRun): Promise<number> {
  const file = `${folder.path}.rounds`;
  const told = (): readonly string[] =>
    existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const { length } = told();
  node.send("SIGWINCH");
  await untilSo(async () => told().length > length, PATIENCE_MS);
  return Number(told().at(-1));
}

/** It waits for what comes: a program that writes again and again goes round without an end. */
async function expectIdle(node: ProgramRun): Promise<void> {
  const before = await roundsOf(node);
  for (let question = 0; question < QUESTIONS; question += 1) await untilServed();
  const rounds = (await roundsOf(node)) - before;
  expect(rounds).toBeGreaterThan(0);
  expect(rounds).toBeLessThan(QUESTIONS * ROUNDS_EACH);
}

const lockFile = (): string => join(folder.path, NETWORK, "lock");

const CLOSED: readonly [string, readonly OutputName[]][] = [
  ["standard output, as with head", ["out"]],
  ["standard error, as when a log service starts anew", ["err"]],
  ["both", ["out", "err"]],
];

/** A node whose readers are gone, after a flood of its log. */
async function flooded(closed: readonly OutputName[]): Promise<ProgramRun> {
  const node = ProgramRun.svc(args, [FLOOD_LOG]);
  for (const name of closed) node.closeReader(name);
  await untilServed();
  node.send("SIGUSR2");
  await untilServed();
  if (!closed.includes("out")) await node.text(/flooded/);
  // The keys are being built at first.
  if (!closed.includes("err")) await node.text(/the verifying key is ready/);
  return node;
}

describe("a node whose output has no reader", () => {
  test.each(CLOSED)("goes on and stops cleanly: %s", async (_, closed) => {
    const node = await flooded(closed);
    await expectIdle(node);
    node.send("SIGTERM");
    const { status, signal, err } = await node.ended();
    expect([status, signal, existsSync(lockFile())]).toEqual([0, null, false]);
    expect(err).not.toContain("internal/unexpected");
  });

  test.skipIf(!IS_FULL).each(CLOSED)("leaves the processor alone: %s", async (_, closed) => {
    const { pid } = await flooded(closed);
    const before = processorMs(pid) ?? 0;
    const startedMs = performance.now();
    await untilSo(async () => performance.now() - startedMs > WATCHED_MS, PATIENCE_MS);
    const part = ((processorMs(pid) ?? Infinity) - before) / (performance.now() - startedMs);
    expect(part).toBeLessThan(IDLE_PART);
  });

  test("one whose log is not read for long serves on, and says how many lines were lost", async () => {
    const node = ProgramRun.svc(args, [FLOOD_LOG]);
    await untilServed();
    node.stopReading("err");
    node.send("SIGUSR2");
    await node.text(/flooded/);
    await untilServed();
    node.resumeReading("err");
    await node.text(/"line":1000,/);
    node.send("SIGUSR2");
    const [, lost] = await node.text(/"lost":(\d+),"msg":"lines of the log were lost/);
    expect(Number(lost)).toBeGreaterThan(1_000);
    node.stopReading("err");
    node.send("SIGTERM");
    const { status, out } = await node.ended();
    expect([status, out]).toEqual([0, expect.stringContaining("stopped, the store is clean")]);
  });

  test("other commands end as they would, with the same status", async () => {
    for (const [command, status] of [
      [["verify", "--simnet", `--appdir=${folder.path}`, "--json"], 1],
      [["node", "--help"], 0],
      [["nonsense"], 2],
    ] as const) {
      const run = ProgramRun.svc(command);
      run.closeReader("out");
      run.closeReader("err");
      expect((await run.ended()).status, command[0]).toBe(status);
    }
  });
});

test.skipIf(!existsSync(TERMINAL))("a terminal that is closed stops the node cleanly", async () => {
  const quoted = svcCommand(args).map((word) => `'${word}'`);
  const terminal = new ProgramRun([TERMINAL, "-qefc", `exec ${quoted.join(" ")}`, "/dev/null"]);
  await untilServed();
  const { pid } = JSON.parse(readFileSync(lockFile(), "utf8"));
  expect(pid).not.toBe(terminal.pid);
  terminal.send("SIGKILL");
  await untilSo(async () => !existsSync(`/proc/${pid}`), PATIENCE_MS);
  expect(existsSync(lockFile())).toBe(false);
});
