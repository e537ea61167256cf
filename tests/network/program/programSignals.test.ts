/** Signals to every command that runs for long: the status in the documents, in bounded time, and nothing left behind. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { ProgramRun } from "../testkit/programRun.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const NAMES = ["--host=seed.example.org", "--nameserver=ns.example.org"];

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** All of them at full size, one of them by lot at the reduced one. */
function signals(): readonly NodeJS.Signals[] {
  const { below } = seededRandom("signal");
  return IS_FULL ? SIGNALS : SIGNALS.slice(below(SIGNALS.length)).slice(0, 1);
}

const COMMANDS = [
  {
    args: ["local", "--httplisten=0", "--rpclisten=0", "--block-interval=50"],
    runs: /^mining to /m,
    status: 0,
  },
  {
    args: ["seeder", "--simnet", ...NAMES, "--listen=127.0.0.1:0"],
    runs: / is answered at /,
    status: 0,
  },
] as const;

test.each(COMMANDS)("svc $args.0 stops cleanly on a signal", async ({ args, runs, status }) => {
  for (const signal of signals()) {
    const run = ProgramRun.svc([...args, `--appdir=${folder.path}`]);
    await run.text(runs);
    run.send(signal);
    const end = await run.ended();
    expect([end.status, end.signal], signal).toEqual([status, null]);
    expect(end.out, signal).toMatch(/^stopping …$/m);
    const lock = args[0] === "local" ? "svc-simnet/lock" : "svc-simnet/seeder/lock";
    expect(existsSync(join(folder.path, lock)), signal).toBe(false);
  }
});

test("svc sim ends with the program that it started", async () => {
  // What it starts is built by cargo, which takes minutes: something that runs as long as it is let.
  const bin = join(folder.path, "bin");
  mkdirSync(bin);
  const cargo = join(bin, "cargo");
  writeFileSync(cargo, `#!/bin/sh\necho $$ >${folder.path}/pid\nexec sleep 600\n`);
  chmodSync(cargo, 0o755);
  for (const signal of signals()) {
    const path = `${bin}:${process.env["PATH"] ?? ""}`;
    const run = new ProgramRun(svcCommand(["sim", "--blocks=1000000"]), { PATH: path });
    const pidFile = join(folder.path, "pid");
    await untilSo(
      async () => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "",
      PATIENCE_MS,
    );
    const pid = Number(readFileSync(pidFile, "utf8"));
    run.send(signal);
    expect((await run.ended()).status, signal).toBe(130);
    expect(existsSync(`/proc/${pid}`), signal).toBe(false);
    writeFileSync(pidFile, "");
  }
});
