/** The program itself: `svc local` as a person starts and stops it. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { runVerify } from "@svc/node-server/app/verify/runVerify.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { BlockMaker, recipient } from "../engine/engineFixture.ts";
import { networkFolderOf, storeOf } from "../engine/verifyFixture.ts";

const terminal = fileURLToPath(new URL("asTerminal.ts", import.meta.url));
const stuckStop = fileURLToPath(new URL("stuckStop.ts", import.meta.url));
/** Blocks of a store whose check lasts long enough for a signal to come in the middle. */
const CHECKED_BLOCKS = 600;

type Child = ChildProcessByStdio<null, Readable, Readable>;

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function svc(...args: string[]): Child {
  return svcWith([], ...args);
}

/** The program, with modules that run before it. */
function svcWith(imports: readonly string[], ...args: string[]): Child {
  const [command, ...all] = svcCommand(args, imports);
  const child = spawn(command, all, { stdio: ["ignore", "pipe", "pipe"] });
  // A test that fails leaves nobody behind.
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Resolves when the stream has brought text of this form. */
function untilSaid(stream: Readable, form: RegExp): Promise<string> {
  let text = "";
  return new Promise((resolve, reject) => {
    const take = (chunk: unknown): void => {
      text += String(chunk);
      const found = form.exec(text);
      if (found === null) return;
      stream.off("data", take);
      resolve(found[0]);
    };
    stream.on("data", take);
    stream.once("end", () => reject(new Error(`${form} was not said: ${text}`)));
  });
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
      const child = local();
      const ended = once(child, "exit");
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const seen: string[] = [];
      const address = await apiAddress(lines, seen);
      const first = await tipAt(address, 0);
      if (highest !== undefined) {
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

  test("a Ctrl-C a second after the first one ends it at once", async () => {
    const child = svcWith(
      [stuckStop],
      ...["local", `--appdir=${folder.path}`, "--httplisten=0", "--nogrpc"],
    );
    const ended = once(child, "exit");
    await untilSaid(child.stdout, /^browser API +\S+$/m);
    const isStuck = untilSaid(child.stdout, /stuck/);
    child.kill("SIGINT");
    await isStuck;
    // The same one, passed on by npm: it goes on stopping.
    const heard = untilSaid(child.stdout, /moved/);
    child.kill("SIGINT");
    child.kill("SIGUSR2");
    await heard;
    expect(child.exitCode).toBeNull();
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    // What it left is taken over by the next one.
    const next = local();
    const nextEnded = once(next, "exit");
    await apiAddress(createInterface({ input: next.stdout })[Symbol.asyncIterator](), []);
    next.kill("SIGTERM");
    expect(await nextEnded).toEqual([0, null]);
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
      EXIT_STATUS.damaged,
      expect.objectContaining({ result: "failed", code: "store/damaged" }),
    ]);
  });

  test("stops on Ctrl-C with a status of its own", async () => {
    const source = new BlockMaker();
    const blocks = Array.from({ length: CHECKED_BLOCKS }, () => source.next(recipient(1)));
    await storeOf(folder.path, blocks);
    const where = ["--simnet", `--appdir=${folder.path}`];
    const checking = svcWith([terminal], "verify", ...where);
    const result = output(checking);
    await untilSaid(checking.stderr, /\d+ of \d+ blocks/);
    checking.kill("SIGINT");
    const { code, out } = await result;
    const done = Number(/^interrupted after (\d+) blocks without a difference$/m.exec(out)?.[1]);
    expect(code, out).toBe(130);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(CHECKED_BLOCKS);
    expect(existsSync(join(networkFolderOf(folder.path), "verify"))).toBe(false);
    // Nothing was left that a whole check minds.
    const sound = await output(verify());
    expect([sound.code, JSON.parse(sound.out)]).toEqual([
      0,
      { result: "same", blocks: CHECKED_BLOCKS + 1, notes: [] },
    ]);
  });
});
