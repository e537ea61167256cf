/** A seeder as an operator runs it: it visits a node's process, names it over DNS, and writes it down. */
import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import packet from "dns-packet";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../testkit/freePort.ts";
import { pruneNetwork } from "../testkit/networkSizes.ts";
import { ProgramRun } from "../testkit/programRun.ts";
import { Scene } from "../testkit/scene.ts";

const LOOPBACK = "127.0.0.1";
const HOST = "seed.example.org";
const NAMESERVER = "ns.example.org";

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
  const seeder = ProgramRun.svc([
    "seeder",
    `--host=${HOST}`,
    `--nameserver=${NAMESERVER}`,
    `--listen=${LOOPBACK}:0`,
    `--peer=${LOOPBACK}:${port}`,
    `--profile=${scene.profileFile}`,
    `--appdir=${scene.appdir("seeder")}`,
    "--loglevel=debug",
  ]);
  const [, where = ""] = await seeder.text(/ is answered at .*?(\S+)\n/);
  await seeder.text(new RegExp(`"${LOOPBACK}:${port}".*"a node answered"`));
  const resolver = new Resolver();
  resolver.setServers([where]);
  expect(await resolver.resolve4(HOST)).toEqual([LOOPBACK]);
  await expect(resolver.resolve6(HOST)).rejects.toMatchObject({ code: "ENODATA" });
  expect(await resolver.resolveNs(HOST)).toEqual([NAMESERVER]);
  expect(await resolver.resolveSoa(HOST)).toMatchObject({ nsname: NAMESERVER });
  expect(await askOverTcp(Number(where.split(":").at(-1)))).toEqual([LOOPBACK]);
  seeder.send("SIGTERM");
  const { status } = await seeder.ended();
  expect(status).toBe(0);
  const file = join(scene.appdir("seeder"), networkName, "seeder", "nodes.json");
  const { nodes } = JSON.parse(readFileSync(file, "utf8"));
  expect(nodes).toMatchObject([{ address: `${LOOPBACK}:${port}`, history: { successes: 1 } }]);
});
