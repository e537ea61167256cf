/** Errors at start: each ends the program with one sentence, the documented exit status and no stack trace. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { pruneNetwork } from "../testkit/networkSizes.ts";
import { ProgramRun } from "../testkit/programRun.ts";

const LOOPBACK = "127.0.0.1";
const SERVERS = ["--rpclisten=0", "--httplisten=0", "--listen=127.0.0.1:0", "--outpeers=0"];
const SIMNET = "--simnet";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Runs a command to its end; expects one line on standard error, with its code, and nothing else. */
async function expectSentence(args: readonly string[], said: string): Promise<void> {
  const run = ProgramRun.svc([...args, `--appdir=${folder.path}`, "--loglevel=warn"]);
  const { status, signal, out, err } = await run.ended();
  const line = `svc ${args[0]}: ${said}\n`.replaceAll("FOLDER", folder.path);
  expect({ status, signal, out, err }).toEqual({ status: 1, signal: null, out: "", err: line });
}

function file(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

describe("a profile", () => {
  const parsed: Record<string, unknown> = JSON.parse(pruneNetwork());
  const damaged = {
    "no JSON": "{ ghostdagK: 5",
    "no object": "[]",
    "a field that is missing": JSON.stringify({ ...parsed, ghostdagK: undefined }),
    "a number out of range": JSON.stringify({ ...parsed, ghostdagK: -1 }),
    "a field too many": JSON.stringify({ ...parsed, colour: "blue" }),
  };
  test.each(Object.entries(damaged))("with %s", async (_, text) => {
    const run = ProgramRun.svc(["node", `--profile=${file("p.json", text)}`, ...SERVERS]);
    const { status, out, err } = await run.ended();
    expect([status, out]).toEqual([1, ""]);
    expect(err).toMatch(/^svc node: [A-Z][^\n]*\. \[profile\/[a-z-]+\]\n$/);
  });

  test("that is not there, and one that is a folder", async () => {
    for (const name of ["nothing.json", "folder"]) {
      if (name === "folder") mkdirSync(join(folder.path, name));
      const path = join(folder.path, name);
      const said = `Option --profile is wrong: ${path} cannot be read. [node/bad-option]`;
      await expectSentence(["node", `--profile=${path}`, ...SERVERS], said);
    }
  });
});

describe("a port", () => {
  test.each([
    ["node", "--rpclisten", "65536"],
    ["node", "--httplisten", "127.0.0.1:99999"],
    ["node", "--listen", "[::1]:x"],
    ["node", "--listen", "::1:70000:"],
    ["seeder", "--listen", "0.0.0.0:70000"],
  ])("out of range: svc %s %s=%s", async (command, option, value) => {
    const names = ["--host=seed.example.org", "--nameserver=ns.example.org"];
    await expectSentence(
      [command, SIMNET, ...(command === "seeder" ? names : []), `${option}=${value}`],
      `Option ${option} is wrong: write HOST:PORT, PORT or an IP address. [node/bad-option]`,
    );
  });

  test.each(["--rpclisten", "--httplisten", "--listen"])("in use: %s", async (option) => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await listenLocally(server);
    const others = SERVERS.filter((other) => !other.startsWith(option));
    const args = ["node", SIMNET, ...others, `${option}=${LOOPBACK}:${port}`];
    const said = `Another program listens on port ${port}. [node/port-in-use]`;
    await expectSentence(args, said);
    // What had started was stopped, which is most before HTTP: the folder is free.
    if (option !== "--httplisten") return;
    server.close();
    await once(server, "close");
    const run = ProgramRun.svc([...args, `--appdir=${folder.path}`]);
    await run.text(/^peers +port/m);
    run.send("SIGTERM");
    expect((await run.ended()).status).toBe(0);
  });

  test("at an address that this machine has not", async () => {
    for (const option of ["--rpclisten", "--httplisten", "--listen"]) {
      const others = SERVERS.filter((other) => !other.startsWith(option));
      await expectSentence(
        ["node", SIMNET, ...others, `${option}=192.0.2.1:7000`],
        `Option ${option} is wrong: this machine has no such address (192.0.2.1:7000). [node/bad-option]`,
      );
    }
  });
});

test("a folder of an archival node is not used without --archival", async () => {
  const args = ["node", SIMNET, ...SERVERS];
  const archival = ProgramRun.svc([...args, "--archival", `--appdir=${folder.path}`]);
  await archival.text(/^peers +port/m);
  archival.send("SIGTERM");
  expect((await archival.ended()).status).toBe(0);
  await expectSentence(
    args,
    "This database keeps the bodies of all blocks: start with --archival, or with --yes to have those below the pruning point deleted. [node/was-archival]",
  );
});

test.each([
  ["mainnet", [], "svc-mainnet"],
  ["the test network", ["--testnet"], "svc-testnet-10"],
  ["the development network", ["--devnet"], "svc-devnet"],
])("svc node on %s starts without a way outside, and stops", async (_, network, name) => {
  const args = ["node", ...network, `--appdir=${folder.path}`];
  const ports = ["--rpclisten=0", "--httplisten=0", "--listen=127.0.0.1:0"];
  const run = ProgramRun.svc([...args, ...ports, "--outpeers=8", "--nodnsseed"]);
  const [, started] = await run.text(/^network +(\S+) /m);
  expect(started).toBe(name);
  const [, tip] = await run.text(/^browser API +(\S+)$/m);
  const { blockCount } = await (await fetch(tip ?? "")).json();
  expect(blockCount).toBe("1");
  run.send("SIGTERM");
  const { status, out, err } = await run.ended();
  expect([status, out]).toEqual([0, expect.stringMatching(/stopped, the store is clean\n$/)]);
  expect(err).not.toMatch(/"level":[56]0/);
});
