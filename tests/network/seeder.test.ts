/** A seeder as an operator runs it: it visits a node's process, names it over DNS, and writes it down. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import packet from "dns-packet";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { freePort } from "./freePort.ts";
import { PATIENCE_MS, pruneNetwork } from "./networkSizes.ts";
import { untilSo } from "./nodeProcess.ts";
import { Scene } from "./scene.ts";

const program = fileURLToPath(new URL("../../node-server/bin/svc.ts", import.meta.url));
const LOOPBACK = "127.0.0.1";
const HOST = "seed.example.org";
const NAMESERVER = "ns.example.org";

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A running seeder. */
class SeederProcess {
  readonly #child: Child;
  readonly #lines: string[] = [];

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [program, "seeder", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.#lines.push(line));
    }
    onTestFailed(() => console.error(`--- seeder\n${this.#lines.join("\n")}`));
    onTestFinished(() => void this.#child.kill("SIGKILL"));
  }

  /** The first line that matches, printed or logged. */
  async line(pattern: RegExp): Promise<string> {
    let found: string | undefined;
    await untilSo(async () => {
      found = this.#lines.find((line) => pattern.test(line));
      if (found === undefined && this.#child.exitCode !== null) throw new Error("it has ended");
      return found !== undefined;
    }, PATIENCE_MS);
    return found ?? "";
  }

  /** Ends it as an operator does; resolves with its status. */
  async stop(): Promise<unknown> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const [status] = await ended;
    return status;
  }
}

/** Asks for IPv4 addresses over TCP. */
async function askOverTcp(port: number): Promise<unknown[]> {
  const socket = connect(port, LOOPBACK);
  onTestFinished(() => void socket.destroy());
  const questions = [{ type: "A", name: HOST } as const];
  socket.write(packet.streamEncode({ type: "query", id: 7, questions }));
  let heard = Buffer.alloc(0);
  for await (const chunk of socket) {
    heard = Buffer.concat([heard, chunk]);
    if (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) break;
  }
  const { answers = [] } = packet.streamDecode(heard);
  return answers.map((answer) => (answer.type === "A" ? answer.data : answer.type));
}

test("a seeder reaches a node, names it over UDP and TCP, and writes it down when it ends", async () => {
  // A seeder names nodes only at the port that their profile says.
  const port = await freePort();
  const profile = JSON.parse(pruneNetwork());
  const { networkName, ports } = profile;
  const scene = new Scene(JSON.stringify({ ...profile, ports: { ...ports, p2p: port } }));
  await scene.node({ name: "node", more: [`--listen=${LOOPBACK}:${port}`] });
  const seeder = new SeederProcess([
    `--host=${HOST}`,
    `--nameserver=${NAMESERVER}`,
    `--listen=${LOOPBACK}:0`,
    `--peer=${LOOPBACK}:${port}`,
    `--profile=${scene.profileFile}`,
    `--appdir=${scene.appdir("seeder")}`,
    "--loglevel=debug",
  ]);
  const where = (await seeder.line(/ is answered at /)).split(" ").at(-1) ?? "";
  await seeder.line(new RegExp(`"${LOOPBACK}:${port}".*"a node answered"`));
  const resolver = new Resolver();
  resolver.setServers([where]);
  expect(await resolver.resolve4(HOST)).toEqual([LOOPBACK]);
  await expect(resolver.resolve6(HOST)).rejects.toMatchObject({ code: "ENODATA" });
  expect(await resolver.resolveNs(HOST)).toEqual([NAMESERVER]);
  expect(await resolver.resolveSoa(HOST)).toMatchObject({ nsname: NAMESERVER });
  expect(await askOverTcp(Number(where.split(":").at(-1)))).toEqual([LOOPBACK]);
  expect(await seeder.stop()).toBe(0);
  const file = join(scene.appdir("seeder"), networkName, "seeder", "nodes.json");
  const { nodes } = JSON.parse(readFileSync(file, "utf8"));
  expect(nodes).toMatchObject([{ address: `${LOOPBACK}:${port}`, history: { successes: 1 } }]);
});
