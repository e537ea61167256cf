/**
 * Clients of a whole node that ask for much and read nothing, or a byte at a time, over HTTP, live connections and gRPC, while
 * blocks arrive: the node's memory stays within its named bounds, and honest clients are served at once.
 */
import http2 from "node:http2";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { messageStream } from "@svc/node-server/client/messageStream.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { encodeClientFrame } from "@svc/shared/protocol/http/liveFrames.ts";
import { encodeRequest, type RequestPayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import type { ChainWish } from "../testkit/chainMaker.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { RawHttp, readSlowly, upgradeOf } from "./rawHttp.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

/** Its records fill a page. */
const CHAIN: ChainWish = {
  profile: pruneNetwork(),
  count: PROTOCOL_LIMITS.recordPageMax,
  payments: [],
  waiting: 0,
};
const PAYEE = payAddressOf(1);
const MIB = 1024 * 1024;
/** Hosts that are slow, and clients of each kind. Places for honest ones are left. */
const HOSTS = 7;
const HTTP_CLIENTS = IS_FULL ? 840 : 280;
const LIVE_CLIENTS = IS_FULL ? 210 : 70;
const GRPC_CLIENTS = IS_FULL ? 120 : 40;
/** Questions of each, sent at once. */
const ASKED = 4;
/** Blocks that arrive meanwhile. */
const BLOCKS = IS_FULL ? 600 : 20;
/**
 * Processor milliseconds that the node may spend until an honest client has its answers. A machine that is busy with other things
 * answers later, and the node does no more until then.
 */
const HONEST_MS = 10_000;
/** MiB that the node may grow: what answers may hold unread, and the garbage of having made them. */
const GROWTH_MIB =
  (RPC_LIMITS.httpUnsentBytes + RPC_LIMITS.grpcTotalRoomBytes) / MIB + GRPC_CLIENTS + 150;
const DEFECTS = [/"code":"internal\//, /a fault/];

let chain: StoredChain;
let node: NodeProcess;
let genesis: string;
beforeAll(async () => {
  chain = await storedChain(CHAIN);
}, PATIENCE_MS);

const hostOf = (index: number): string => `127.0.0.${2 + (index % HOSTS)}`;

/** What the slow ones do with what comes: nothing, or a byte now and then. */
function readLittle(socket: Socket, index: number): void {
  socket.pause();
  if (index % 2 === 1) readSlowly(socket);
}

function slowHttp(port: number): void {
  const path = `/v1/blocks?after=${genesis}&limit=${PROTOCOL_LIMITS.recordPageMax}`;
  for (let index = 0; index < HTTP_CLIENTS; index += 1) {
    const client = new RawHttp({ port, from: hostOf(index) });
    readLittle(client.socket, index);
    client.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(ASKED));
    onTestFinished(() => client.cut());
  }
}

function slowLive(port: number): void {
  const frame = encodeClientFrame({ type: "subscribe", after: asBlockHash(genesis), pool: true });
  const masked = Buffer.concat([Buffer.of(0x82, 0x80 | frame.length, 0, 0, 0, 0), frame]);
  for (let index = 0; index < LIVE_CLIENTS; index += 1) {
    const client = new RawHttp({ port, from: hostOf(index) });
    readLittle(client.socket, index);
    client.write(upgradeOf("/v1/live", `127.0.0.1:${port}`));
    client.write(masked.toString("latin1"));
    onTestFinished(() => client.cut());
  }
}

const SUBSCRIPTIONS: readonly RequestPayload[] = [
  { $case: "notifyBlockAdded", value: { command: undefined } },
  { $case: "notifyNewBlockTemplate", value: { command: undefined } },
  {
    $case: "notifyVirtualChainChanged",
    value: { command: undefined, includeAcceptedTransactionIds: true },
  },
];

function slowGrpc(address: string): void {
  const value = {
    startHash: genesis,
    limit: BigInt(PROTOCOL_LIMITS.recordPageMax),
    metadataOnly: false,
  };
  const pages = Array.from(
    { length: ASKED },
    () => ({ $case: "getShieldedBlocks", value }) as const,
  );
  const messages = [...SUBSCRIPTIONS, ...pages].map((payload, index) => {
    const bytes = encodeRequest(BigInt(index + 1), payload);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  });
  const [host = "", port = ""] = address.split(":");
  for (let index = 0; index < GRPC_CLIENTS; index += 1) {
    const session = http2.connect(`http://${address}`, {
      createConnection: () => connect({ host, port: Number(port), localAddress: hostOf(index) }),
    });
    session.on("error", () => {});
    const stream = session.request({
      ":method": "POST",
      ":path": messageStream.path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("error", () => {});
    stream.on("response", () => {});
    stream.pause();
    stream.write(Buffer.concat(messages));
    onTestFinished(() => session.destroy());
  }
}

/** Asks over HTTP and gRPC again and again until stopped; tells the most of `spent` between a question and both its answers. */
function honestClient(spent: () => number): {
  stop: () => Promise<{ answers: number; worst: number }>;
} {
  const stopping = new AbortController();
  let [answers, worst] = [0, 0];
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const begun = spent();
      const response = await fetch(`${node.http}/v1/tip`);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      await response.text();
      await node.grpc.call({ $case: "getServerInfo", value: {} });
      answers += 1;
      worst = Math.max(worst, spent() - begun);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await running;
      return { answers, worst };
    },
  };
}

/** Holds slow clients of each kind while blocks arrive; tells what an honest client saw beside them. */
async function besideSlowClients(spent: () => number): Promise<{ answers: number; worst: number }> {
  const scene = new Scene(CHAIN.profile);
  genesis = genesisHashOf(scene.profile);
  scene.copyStore({ from: chain.path, name: "node" });
  node = await scene.node({ name: "node", watched: DEFECTS });
  await node.keysReady(PATIENCE_MS);
  await mineAt(node, 1, PAYEE);
  const { chainIndex: before } = await node.tip();
  node.forgetPeak();
  const beforeMiB = node.residentMiB();
  const honest = honestClient(spent);
  const port = Number(new URL(node.http).port);
  slowHttp(port);
  slowLive(port);
  slowGrpc(node.grpcAddress);
  const value = { includeProfileData: false };
  await untilSo(async () => {
    const { clients } = await node.grpc.call({ $case: "getConnections", value });
    return clients > GRPC_CLIENTS;
  }, PATIENCE_MS);
  await mineAt(node, BLOCKS, PAYEE);
  const { chainIndex: after } = await node.tip();
  const seen = await honest.stop();
  const grownMiB = Math.round(node.peakMiB() - beforeMiB);
  console.log(JSON.stringify({ beforeMiB: Math.round(beforeMiB), grownMiB, ...seen }));
  expect(BigInt(after) - BigInt(before)).toBe(BigInt(BLOCKS));
  expect(seen.answers).toBeGreaterThan(0);
  expect(grownMiB).toBeLessThan(GROWTH_MIB);
  expect(node.hasEnded).toBe(false);
  expect(DEFECTS.map((form) => node.countOf(form))).toEqual([0, 0]);
  return seen;
}

test(
  "clients that ask for much and read nothing cost the node its bounds, and others are served",
  { timeout: 2 * PATIENCE_MS },
  async () => {
    await besideSlowClients(() => 0);
  },
);

test.skipIf(!IS_FULL)(
  "clients that ask for much and read nothing: others are served at once",
  { timeout: 2 * PATIENCE_MS },
  async () => {
    const { worst } = await besideSlowClients(() => node.processorMs());
    expect(worst).toBeLessThan(HONEST_MS);
  },
);
