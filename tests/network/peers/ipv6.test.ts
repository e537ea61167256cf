/** IPv6 on every listener: the loopback address, all addresses of both kinds, brackets in options, and shares by /64. */
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { freePort } from "../testkit/freePort.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { ProgramRun } from "../testkit/programRun.ts";
import { Scene } from "../testkit/scene.ts";

const SEEN_FROM = fileURLToPath(new URL("seenFrom.ts", import.meta.url));
const HAS_IPV6 = Object.values(networkInterfaces())
  .flatMap((rows) => rows ?? [])
  .some(({ address }) => address === "::1");
const HOST = "seed.example.org";
const NAMESERVER = "ns.example.org";

/** Where all servers of a node listen, and by which texts they are reached. */
const PLACES = [
  { listen: "[::1]", reached: ["[::1]"], unreached: ["127.0.0.1"] },
  { listen: "[::]", reached: ["[::1]", "127.0.0.1"], unreached: [] },
] as const;

const listensAt = (host: string): string[] =>
  ["listen", "rpclisten", "httplisten"].map((name) => `--${name}=${host}:0`);

/** The facts of a node over HTTP, WebSocket and gRPC, asked at one of its addresses. */
async function expectServed(node: NodeProcess, host: string): Promise<void> {
  const { port } = new URL(node.http);
  const answer = await fetch(`http://${host}:${port}/v1/tip`);
  expect(answer.status, host).toBe(200);
  const live = new WebSocket(`ws://${host}:${port}/v1/live`);
  await once(live, "open");
  live.close();
  const client = new GrpcClient(`${host}:${node.grpcAddress.split(":").at(-1)}`);
  const { networkName } = await client.call({ $case: "getBlockDagInfo", value: {} });
  expect(networkName, host).toBe("svc-prune");
  client.close();
}

async function expectPeer(scene: Scene, address: string): Promise<void> {
  const peer = await scene.node({ name: `peer of ${address}`, more: [`--addpeer=${address}`] });
  await untilSo(async () => (await peer.peerCount()) === 1, PATIENCE_MS);
  await peer.stop();
}

async function turnedAway(socket: Socket): Promise<boolean> {
  socket.resume();
  await untilSo(async () => !socket.connecting, PATIENCE_MS);
  // Whoever was let in is answered; a request in halves keeps the connection.
  socket.write("GET /v1/tip HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return new Promise((resolve) => {
    socket.once("data", () => resolve(false));
    socket.once("close", () => resolve(true));
    if (socket.destroyed) resolve(true);
  });
}

describe.skipIf(!HAS_IPV6)("IPv6 (skipped where the machine has no ::1)", () => {
  test.each(PLACES)("a node that listens at $listen", async ({ listen, reached, unreached }) => {
    const scene = new Scene(pruneNetwork());
    const node = await scene.node({ name: "node", more: listensAt(listen) });
    expect(node.http).toBe(`http://${listen}:${new URL(node.http).port}`);
    expect(node.grpcAddress).toMatch(/^\[::1?\]:\d+$/);
    for (const host of reached) {
      await expectServed(node, host);
      await expectPeer(scene, `${host}:${node.peerPort}`);
    }
    for (const host of unreached) {
      const { port } = new URL(node.http);
      await expect(fetch(`http://${host}:${port}/v1/tip`)).rejects.toThrow("fetch failed");
    }
    await node.stop();
  });

  test.each(PLACES)("a seeder that listens at $listen", async ({ listen, reached }) => {
    const port = await freePort();
    const profile = JSON.parse(pruneNetwork());
    const { ports } = profile;
    const scene = new Scene(JSON.stringify({ ...profile, ports: { ...ports, p2p: port } }));
    await scene.node({ name: "node", more: [`--listen=[::1]:${port}`] });
    const seeder = ProgramRun.svc([
      ...["seeder", `--host=${HOST}`, `--nameserver=${NAMESERVER}`, `--listen=${listen}:0`],
      ...[`--peer=[::1]:${port}`, `--profile=${scene.profileFile}`, "--loglevel=debug"],
      `--appdir=${scene.appdir("seeder")}`,
    ]);
    const [, at] = await seeder.text(/ is answered at \[::1?\]:(\d+)$/m);
    await seeder.text(/"a node answered"/);
    for (const host of reached) {
      const resolver = new Resolver();
      resolver.setServers([`${host}:${at}`]);
      expect(await resolver.resolve6(HOST), host).toEqual(["::1"]);
      const overTcp = connect(Number(at), host.replace(/[[\]]/g, ""));
      await once(overTcp, "connect");
      overTcp.destroy();
    }
    seeder.send("SIGTERM");
    expect((await seeder.ended()).status).toBe(0);
  });

  test("all addresses of a /64 share what one host may have of HTTP", async () => {
    const scene = new Scene(pruneNetwork());
    const node = await scene.node({ name: "node", imports: [SEEN_FROM] });
    const port = Number(new URL(node.http).port);
    const from = (localAddress: string): Socket => {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket.on("error", () => undefined);
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const places = RPC_LIMITS.httpConnectionsPerHost;
    const held = Array.from({ length: places }, (_, index) => from(`127.0.64.${2 + (index % 2)}`));
    for (const socket of held) if (socket.connecting) await once(socket, "connect");
    expect(await turnedAway(from("127.0.64.4"))).toBe(true);
    expect(await turnedAway(from("127.0.65.2"))).toBe(false);
    held[0]?.destroy();
    await untilSo(async () => !(await turnedAway(from("127.0.64.4"))), PATIENCE_MS);
    await node.stop();
  });
});
