/** The real HTTP server and clients that do not read what they asked for. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { asBlockHash, asTxId } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { encodeClientFrame } from "@svc/shared/protocol/http/liveFrames.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { hashOf } from "../testkit/fakeNode.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { startHttpServer, type HttpServer } from "./httpServer.ts";
import type { NodeShareBounds } from "./nodeShares.ts";

const MIB = 1024 * 1024;
/** More than the buffers of a connection take. */
const LARGE_BYTES = 16 * MIB;
const SLOW = "127.0.0.2";
const HONEST = "127.0.0.3";

let chain: FakeChain;
let server: HttpServer;
let folder: string;
let open: (Socket | WebSocket)[];

beforeEach(() => {
  chain = new FakeChain();
  open = [];
  folder = folderOfTest();
  mkdirSync(join(folder, "wallet"));
  writeFileSync(join(folder, "headers.json"), "[]");
  writeFileSync(join(folder, "large.wasm"), Buffer.alloc(LARGE_BYTES));
});
afterEach(async () => {
  for (const socket of open) {
    if (socket instanceof WebSocket) socket.terminate();
    else socket.destroy();
  }
  await server.stop();
});

async function start(shares: Partial<NodeShareBounds>): Promise<void> {
  server = await startHttpServer({
    node: chain.node,
    host: "127.0.0.1",
    port: 0,
    pages: folder,
    miner: null,
    rules: OWN_PAGES,
    clock: new ManualClock(0n),
    log: createLog("silent"),
    shares,
  });
}

const port = (): number => Number(new URL(server.address).port);

async function dial(from: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: port(), localAddress: from });
  socket.on("error", () => {});
  open.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Asks, and reads no more than the beginning of the answer; returns its status. */
async function askUnread(path: string, from: string): Promise<number> {
  const socket = await dial(from);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await once(socket, "readable");
  return Number(String(socket.read(12)).split(" ")[1]);
}

/** Asks and reads all; returns how many bytes came. */
async function askHonestly(path: string): Promise<number> {
  const socket = await dial(HONEST);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  let bytes = 0;
  for await (const part of socket) if (part instanceof Buffer) bytes += part.length;
  return bytes;
}

test.each(["/large.wasm", `/v1/blocks?after=${hashOf(0)}`])(
  "what a host asks for at once is not answered beyond its share of unread bytes: %s",
  async (path) => {
    await start({ unsentPerHost: MIB });
    let pages = 0;
    const begin = Promise.withResolvers<void>();
    chain.node.answers.records = async () => {
      pages += 1;
      await begin.promise;
      return new Uint8Array(LARGE_BYTES);
    };
    const asked = Array.from({ length: 20 }, () => askUnread(path, SLOW));
    // They wait for their turns by now.
    for (let count = 0; count < 5; count += 1) await askHonestly("/v1/tip");
    begin.resolve();
    const statuses = await Promise.all(asked);
    const answered = statuses.filter((status) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    // The next questions may be at hand before the answer to the last one is.
    expect(answered.length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - answered.length);
    expect(pages).toBeLessThanOrEqual(6);
    expect(await askHonestly(path)).toBeGreaterThan(LARGE_BYTES);
  },
);

async function goLive(from: string): Promise<WebSocket> {
  const live = new WebSocket(`ws://127.0.0.1:${port()}/v1/live`, { localAddress: from });
  live.on("error", () => {});
  open.push(live);
  await once(live, "open");
  const after = asBlockHash(hashOf(0));
  live.send(encodeClientFrame({ type: "subscribe", after, pool: true }));
  await once(live, "message");
  return live;
}

test("live connections that are not read count for their host, and are cut off before all together hold too much", async () => {
  await start({ unsentBytes: 8 * MIB });
  const slow = await goLive(SLOW);
  slow.pause();
  const honest = await goLive(HONEST);
  const gone = new Promise((resolve) => slow.once("close", resolve));
  // Until then it does not hear of its end.
  const count = 64;
  for (let sent = 0; sent < count; sent += 1) {
    const heard = once(honest, "message");
    chain.node.tell({ type: "poolAdded", txid: asTxId(hashOf(5)), frame: new Uint8Array(MIB) });
    await heard;
  }
  slow.resume();
  // Not closed with words, which would come behind all that it has not read.
  expect(await gone).toBe(1006);
  expect(honest.readyState).toBe(WebSocket.OPEN);
});

/** Masked ping frames of the longest kind. */
function pings(count: number): Buffer {
  const ping = Buffer.alloc(6 + 125);
  ping[0] = 0x89;
  ping[1] = 0x80 | 125;
  return Buffer.concat(Array.from({ length: count }, () => ping));
}

test("a live client that sends pings and reads no answers is cut off", async () => {
  await start({});
  const flood = await dial(SLOW);
  const upgrade = [
    "GET /v1/live HTTP/1.1",
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "\r\n",
  ];
  flood.write(upgrade.join("\r\n"));
  await once(flood, "readable");
  const some = pings(2_000);
  let sent = 0;
  while (!flood.destroyed && sent < 16 * RPC_LIMITS.liveBufferBytes) {
    sent += some.length;
    const failed = await new Promise((resolve) => flood.write(some, resolve));
    if (failed) break;
  }
  expect(sent).toBeLessThan(16 * RPC_LIMITS.liveBufferBytes);
  expect(await askHonestly("/v1/tip")).toBeGreaterThan(0);
});
