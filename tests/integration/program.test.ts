/** The program itself: `svc local` as a person starts and stops it. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runVerify } from "@svc/node-server/app/runVerify.ts";
import { temporaryFolder } from "../contract/kvFixtures.ts";

const program = fileURLToPath(new URL("../../node-server/bin/svc.ts", import.meta.url));
/** The second start must answer within this time (issue: under 5 s). */
const SECOND_START_MS = 5_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function svc(...args: string[]): Child {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  // A test that fails leaves nobody behind.
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function local(...more: string[]): Child {
  const ports = ["--httplisten=0", "--rpclisten=0", "--block-interval=40"];
  return svc("local", `--appdir=${folder.path}`, ...ports, ...more);
}

/** Reads lines until the browser API's address is printed. */
async function apiAddress(lines: AsyncIterator<string>, seen: string[]): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`ended before it served: ${seen.join("\n")}`);
    seen.push(value);
    const address = /^browser API +(\S+)$/.exec(value)?.[1];
    if (address !== undefined) return address;
  }
}

type Tip = { readonly sink: string; readonly chainIndex: string; readonly network: string };

async function tipAt(address: string, height: number): Promise<Tip> {
  for (;;) {
    const tip: Tip = await (await fetch(address)).json();
    if (Number(tip.chainIndex) >= height) return tip;
  }
}

async function output(child: Child): Promise<{ code: unknown; out: string; err: string }> {
  const text = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (text.out += String(chunk)));
  child.stderr.on("data", (chunk) => (text.err += String(chunk)));
  const [code] = await once(child, "close");
  return { code, ...text };
}

describe("svc local", () => {
  test("mines, stops on a Ctrl-C that arrives twice, and starts again where it was", async () => {
    let highest: Tip | undefined;
    for (const round of [1, 2]) {
      const startedAt = performance.now();
      const child = local();
      const ended = once(child, "exit");
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const seen: string[] = [];
      const address = await apiAddress(lines, seen);
      const first = await tipAt(address, 0);
      if (highest !== undefined) {
        expect(performance.now() - startedAt).toBeLessThan(SECOND_START_MS);
        expect(Number(first.chainIndex)).toBeGreaterThanOrEqual(Number(highest.chainIndex));
      }
      expect(seen[0]).toMatch(/^network +svc-simnet \(profile [0-9a-f]{16}\)$/);
      highest = await tipAt(address, Number(first.chainIndex) + 5);
      // npm and the terminal both pass it on.
      child.kill("SIGINT");
      child.kill("SIGINT");
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
        seen.push(line.value);
      }
      expect(await ended, `round ${round}`).toEqual([0, null]);
      expect(seen.at(-1)).toBe("stopped, the store is clean");
      expect(existsSync(join(folder.path, "svc-simnet", "lock"))).toBe(false);
    }
  });

  test("a second one on the same folder says so and ends", async () => {
    const child = local();
    const ended = once(child, "exit");
    await apiAddress(createInterface({ input: child.stdout })[Symbol.asyncIterator](), []);
    const { code, err } = await output(local());
    expect(code).toBe(1);
    expect(err).toContain("[node/already-running]");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  test("wrong options and unknown commands end with a sentence", async () => {
    const wrong = await output(svc("local", "--nonsense"));
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("[node/bad-option]")]);
    const unknown = await output(svc("nonsense"));
    expect([unknown.code, unknown.out]).toEqual([2, expect.stringContaining("svc COMMAND")]);
    const help = await output(svc("node", "--help"));
    expect([help.code, help.out]).toEqual([0, expect.stringContaining("--appdir")]);
  });
});

describe("svc verify", () => {
  test("a Ctrl-C while the check starts is no damage", async () => {
    for (const [more, said] of [
      [[], "interrupted after 0 blocks without a difference"],
      [["--json"], '{"result":"interrupted","blocks":0}'],
    ] as const) {
      const lines: string[] = [];
      const stop = new AbortController();
      const ended = runVerify({
        args: ["--simnet", `--appdir=${folder.path}`, ...more],
        environment: {},
        print: (line) => lines.push(line),
        signal: stop.signal,
      });
      stop.abort();
      // oxlint-disable-next-line no-await-in-loop
      expect([await ended, lines]).toEqual([130, [said]]);
    }
  });

  const verify = (...more: string[]): Child =>
    svc("verify", "--simnet", `--appdir=${folder.path}`, "--json", ...more);

  test("refuses a folder in use, checks it afterwards, and survives a database that is cut short", async () => {
    const child = local();
    const ended = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await tipAt(await apiAddress(lines, []), 5);
    const refused = await output(verify());
    expect([refused.code, JSON.parse(refused.out)]).toEqual([
      1,
      expect.objectContaining({ result: "failed", code: "node/already-running" }),
    ]);
    child.kill("SIGTERM");
    await ended;
    const sound = await output(verify());
    expect([sound.code, JSON.parse(sound.out)]).toEqual([
      0,
      { result: "same", blocks: expect.any(Number), notes: [] },
    ]);
    const file = join(folder.path, "svc-simnet", "consensus", "data.mdb");
    truncateSync(file, 32 * 1024);
    const cut = await output(verify());
    expect([cut.code, JSON.parse(cut.out)]).toEqual([
      1,
      expect.objectContaining({ result: expect.stringMatching(/^(failed|different)$/) }),
    ]);
  });

  test("stops on Ctrl-C with a status of its own", async () => {
    const child = local();
    const ended = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await tipAt(await apiAddress(lines, []), 20);
    child.kill("SIGTERM");
    await ended;
    const checking = verify();
    const result = output(checking);
    checking.kill("SIGINT");
    const { code, out } = await result;
    // The signal may come before the program listens, or after the check is over.
    expect([0, 130, null]).toContain(code);
    if (code === 130) expect(JSON.parse(out)).toMatchObject({ result: "interrupted" });
    expect(existsSync(join(folder.path, "svc-simnet", "verify"))).toBe(false);
  });
});
