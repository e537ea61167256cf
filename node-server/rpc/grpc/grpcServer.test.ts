import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import { Client, compressionAlgorithms, credentials, Metadata, status } from "@grpc/grpc-js";
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore, asChainIndex, asDaaScore } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import {
  encodeRequest,
  errorOf,
  readResponse,
  type ResponseEnvelope,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { RpcRequest } from "@svc/shared/protocol/rpc/generated/rpc.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import { FakeNode, fakeTip, hashOf } from "../testkit/fakeNode.ts";
import { GrpcClient } from "../../client/grpcClient.ts";
import { startGrpcServer, type GrpcServer } from "./grpcServer.ts";
import { SendBuffers } from "./sendBuffers.ts";
import { messageStream } from "../../client/messageStream.ts";

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Served = { node: FakeNode; server: GrpcServer; clock: ManualClock };

async function serve(more: { outlets?: SendBuffers } = {}): Promise<Served> {
  const node = new FakeNode();
  const log = createLog("silent");
  const clock = new ManualClock(0n);
  const parts = { node, host: "127.0.0.1", port: 0, clock, log, ...more };
  const server = await startGrpcServer(parts);
  closers.push(() => server.stop());
  return { node, server, clock };
}

/** Opens a stream from another host; returns its first headers. */
async function openElsewhere(server: GrpcServer): Promise<unknown> {
  const session = http2.connect(`http://${server.address}`, {
    createConnection: ({ hostname, port }) =>
      net.connect({ host: hostname, port: Number(port), localAddress: "127.0.0.2" }),
  });
  closers.push(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": messageStream.path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => {});
  const [headers] = await once(stream, "response");
  return headers;
}

function connect(server: GrpcServer): GrpcClient {
  const client = new GrpcClient(server.address);
  closers.push(() => client.close());
  return client;
}

/** A client below the typed one, for what the typed one never sends. */
class RawClient {
  readonly #client: Client;
  readonly stream: ClientDuplexStream<Uint8Array, Uint8Array>;
  readonly replies: ResponseEnvelope[] = [];
  readonly ended = Promise.withResolvers<{ code: number; details: string }>();
  readonly headers = Promise.withResolvers<void>();
  #onReply: () => void = () => {};

  constructor(address: string, options = {}) {
    this.#client = new Client(address, credentials.createInsecure(), options);
    const { path, requestSerialize, responseDeserialize } = messageStream;
    this.stream = this.#client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      new Metadata(),
    );
    this.stream.on("metadata", () => this.headers.resolve());
    this.stream.on("data", (bytes: Uint8Array) => {
      this.replies.push(readResponse(bytes));
      this.#onReply();
    });
    this.stream.on("error", () => {});
    this.stream.on("status", ({ code, details }) => this.ended.resolve({ code, details }));
    closers.push(() => this.close());
  }

  /** Resolves when this many replies have come. */
  async received(count: number): Promise<readonly ResponseEnvelope[]> {
    while (this.replies.length < count) {
      await new Promise<void>((resolve) => (this.#onReply = resolve));
    }
    return this.replies;
  }

  close(): void {
    this.stream.cancel();
    this.#client.close();
  }
}

/** News of this many blocks on top of the chain; more are to come unless they are the last. */
function chainMoved({ added, last = true }: { added: number; last?: boolean }): NodeNotification {
  const hash = asBlockHash(hashOf(1));
  const scores = { blueScore: asBlueScore(1n), daaScore: asDaaScore(1n) };
  const block = { hash, index: asChainIndex(1n), ...scores, applied: [], dropped: [] };
  return {
    type: "virtualChanged",
    removed: [],
    added: Array.from({ length: added }, () => block),
    sink: hash,
    sinkBlueScore: asBlueScore(1n),
    daaScore: asDaaScore(2n),
    tips: [hash],
    last,
  };
}

describe("the gRPC server", () => {
  it("sends headers before the client says anything", async () => {
    const { server } = await serve();
    await new RawClient(server.address).headers.promise;
  });

  it("answers with the id of the request", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    const big = 0xffff_ffff_ffff_fff1n;
    client.stream.write(encodeRequest(big, { $case: "getInfo", value: {} }));
    const [reply] = await client.received(1);
    expect(reply?.id).toBe(big);
    expect(reply?.payload).toMatchObject({
      $case: "getInfo",
      value: { serverVersion: "9.8.7", mempoolSize: 3n, isSynced: true, hasMessageId: true },
    });
  });

  it("tells clients which rules change soon", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    client.stream.write(encodeRequest(1n, { $case: "getServerInfo", value: {} }));
    const [reply] = await client.received(1);
    const change = { names: ["securityFork"], daaScore: 50_000n, blocksLeft: 49_998n };
    expect(reply?.payload?.value).toMatchObject({ virtualDaaScore: 2n, ruleChanges: [change] });
  });

  it("answers old clients that send no id", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    const payload = { $case: "ping", value: {} } as const;
    client.stream.write(RpcRequest.encode({ id: undefined, payload }).finish());
    const [reply] = await client.received(1);
    expect(reply).toMatchObject({ id: undefined, payload: { $case: "ping" } });
  });

  it("refuses unknown calls in words and goes on", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    const unknown = Uint8Array.of(0xa8, 0x06, 0x05, 0xba, 0x41, 0x00); // id 5, field 1047
    client.stream.write(unknown);
    client.stream.write(encodeRequest(6n, { $case: "ping", value: {} }));
    const replies = await client.received(2);
    expect(replies.map(({ id }) => id)).toEqual(expect.arrayContaining([5n, 6n]));
  });

  it("puts the fault of a call into its response", async () => {
    const { node, server } = await serve();
    const client = connect(server);
    delete node.answers.tip;
    await expect(client.call({ $case: "getSink", value: {} })).rejects.toThrow(
      "chain/unknown-block: Block tip is unknown.",
    );
    const submit = { block: undefined, allowNonDaaBlocks: true };
    const answer = await client.exchange({ $case: "submitBlock", value: submit });
    expect(errorOf(answer)?.message).toBe("Block was not submitted: block is invalid");
    expect(answer.value).toMatchObject({ rejectReason: 1 });
  });

  it("ends the stream when asked for nothing", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    client.stream.write(Uint8Array.of(0xa8, 0x06, 0x09));
    expect((await client.ended.promise).code).toBe(status.OK);
  });

  it("ends the stream on bytes that are no message", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    client.stream.write(Uint8Array.of(0xff, 0xff, 0xff, 0xff));
    expect((await client.ended.promise).code).toBe(status.INVALID_ARGUMENT);
  });

  it("answers what was asked before the client ended its side", async () => {
    const { server } = await serve();
    const client = new RawClient(server.address);
    client.stream.write(encodeRequest(1n, { $case: "getSink", value: {} }));
    client.stream.end();
    expect((await client.ended.promise).code).toBe(status.OK);
    expect(client.replies).toHaveLength(1);
  });

  it("keeps the order of replies within a type and lets other types pass", async () => {
    const { node, server } = await serve();
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    let asked = 0;
    node.answers.tip = async () => {
      const gate = gates[asked];
      asked += 1;
      await gate?.promise;
      return fakeTip(asked);
    };
    const client = new RawClient(server.address);
    for (const id of [1n, 2n, 3n]) {
      client.stream.write(encodeRequest(id, { $case: "getSink", value: {} }));
    }
    client.stream.write(encodeRequest(9n, { $case: "ping", value: {} }));
    expect((await client.received(1)).map(({ id }) => id)).toEqual([9n]);
    for (const gate of gates.toReversed()) gate.resolve();
    expect((await client.received(4)).map(({ id }) => id)).toEqual([9n, 1n, 2n, 3n]);
  });

  it("runs submissions side by side, answers in order, and refuses beyond the bound", async () => {
    const { node, server } = await serve();
    const gate = Promise.withResolvers<void>();
    node.onSubmitBlock = async () => {
      await gate.promise;
      return { kind: "accepted", hash: asBlockHash(hashOf(1)), new: true, needVerdicts: [] };
    };
    const client = new RawClient(server.address);
    const count = RPC_LIMITS.grpcPendingBlocks + 5;
    const header = {
      version: 2,
      hashMerkleRoot: hashOf(1),
      acceptedIdMerkleRoot: hashOf(1),
      utxoCommitment: hashOf(1),
      timestamp: 1n,
      bits: 1,
      nonce: 1n,
      daaScore: 1n,
      blueWork: "1",
      parents: [],
      blueScore: 1n,
      pruningPoint: hashOf(1),
      hash: "",
      auxPow: "",
    };
    const value = {
      block: { header, transactions: [], verboseData: undefined },
      allowNonDaaBlocks: true,
    };
    for (let id = 1; id <= count; id += 1) {
      client.stream.write(encodeRequest(BigInt(id), { $case: "submitBlock", value }));
    }
    client.stream.write(encodeRequest(0n, { $case: "ping", value: {} }));
    await client.received(1);
    expect(node.submitted).toHaveLength(RPC_LIMITS.grpcPendingBlocks);
    gate.resolve();
    const [, ...replies] = await client.received(count + 1);
    expect(replies.map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => BigInt(index + 1)),
    );
    const refused = replies.filter(({ payload }) => payload && errorOf(payload) !== undefined);
    expect(refused).toHaveLength(5);
    const [first] = refused;
    expect(first?.payload && errorOf(first.payload)?.message).toBe(
      "Block was not submitted: route is full",
    );
  });

  it("takes compressed messages and refuses those that grow too large", async () => {
    const { server } = await serve();
    const gzip = { "grpc.default_compression_algorithm": compressionAlgorithms.gzip };
    const client = new RawClient(server.address, gzip);
    const payAddress = "x".repeat(100_000);
    const fits = { $case: "getBlockTemplate", value: { payAddress, extraData: "" } } as const;
    client.stream.write(encodeRequest(1n, fits));
    expect((await client.received(1))[0]?.id).toBe(1n);
    const bomb = { payAddress: "x".repeat(RPC_LIMITS.grpcRequestBytes + 1), extraData: "" };
    client.stream.write(encodeRequest(2n, { $case: "getBlockTemplate", value: bomb }));
    expect((await client.ended.promise).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  it("refuses more clients than it has room for, and keeps nothing of them", async () => {
    const outlets = new SendBuffers(new ManualClock(0n));
    const { server } = await serve({ outlets });
    const clients = Array.from(
      { length: RPC_LIMITS.grpcClients },
      () => new RawClient(server.address),
    );
    await Promise.all(clients.map(({ headers }) => headers.promise));
    const late = new RawClient(server.address);
    expect(await late.ended.promise).toEqual({
      code: status.RESOURCE_EXHAUSTED,
      details: "full capacity",
    });
    expect(outlets.size).toBe(RPC_LIMITS.grpcClients);
    clients[0]?.close();
    await clients[0]?.ended.promise;
  });

  it("gives a client of another host the oldest place of the host with the most", async () => {
    const { server, clock } = await serve();
    const flood = Array.from(
      { length: RPC_LIMITS.grpcClients },
      () => new RawClient(server.address),
    );
    await Promise.all(flood.map(({ headers }) => headers.promise));
    const headers = await openElsewhere(server);
    // A stream that is refused says so in its first headers.
    expect(headers).not.toHaveProperty("grpc-status");
    const ended = await Promise.race(flood.map(({ ended: { promise } }) => promise));
    expect(ended).toEqual({ code: status.RESOURCE_EXHAUSTED, details: "full capacity" });
    // It has read to the end: there is nothing to reset later.
    expect(clock.sleeping).toBe(0);
  });

  it("keeps a client that lost its place and reads nothing for a short time only", async () => {
    const { node, server, clock } = await serve();
    const unread = new RawClient(server.address);
    const value = { includeAcceptedTransactionIds: false, command: undefined };
    unread.stream.write(encodeRequest(1n, { $case: "notifyVirtualChainChanged", value }));
    await unread.received(1);
    unread.stream.pause();
    // More than the windows of its connection take.
    for (let count = 0; count < 20; count += 1) node.tell(chainMoved({ added: 500 }));
    const flood = Array.from(
      { length: RPC_LIMITS.grpcClients - 1 },
      () => new RawClient(server.address),
    );
    await Promise.all(flood.map(({ headers }) => headers.promise));
    await openElsewhere(server);
    const [other] = flood;
    const clients = async (id: bigint): Promise<unknown> => {
      const value = { includeProfileData: false };
      other?.stream.write(encodeRequest(id, { $case: "getConnections", value }));
      return (await other?.received(Number(id)))?.at(-1)?.payload?.value;
    };
    expect(await clients(1n)).toMatchObject({ clients: RPC_LIMITS.grpcClients + 1 });
    clock.advance(RPC_LIMITS.grpcFarewellMs - 1);
    expect(await clients(2n)).toMatchObject({ clients: RPC_LIMITS.grpcClients + 1 });
    clock.advance(1);
    await unread.ended.promise;
    expect(await clients(3n)).toMatchObject({ clients: RPC_LIMITS.grpcClients });
  });

  it("tells those who asked of blocks, chain and templates, until they ask no more", async () => {
    const { node, server } = await serve();
    const client = connect(server);
    const heard: string[] = [];
    let onHeard = Promise.withResolvers<void>();
    client.onNotification((notification) => {
      heard.push(notification.$case);
      onHeard.resolve();
    });
    node.tell(chainMoved({ added: 1 }));
    await client.call({ $case: "notifyNewBlockTemplate", value: { command: undefined } });
    await client.call({
      $case: "notifyVirtualChainChanged",
      value: { includeAcceptedTransactionIds: false, command: undefined },
    });
    node.tell(chainMoved({ added: 1 }));
    await onHeard.promise;
    await client.call({ $case: "ping", value: {} });
    expect(heard).toEqual(["virtualChainChanged", "newBlockTemplate"]);
    await client.call({
      $case: "notifyVirtualChainChanged",
      value: { command: 1, includeAcceptedTransactionIds: undefined },
    });
    onHeard = Promise.withResolvers<void>();
    // In the middle of a change there is nothing to build on.
    node.tell(chainMoved({ added: 1, last: false }));
    node.tell(chainMoved({ added: 0 }));
    await onHeard.promise;
    await client.call({ $case: "ping", value: {} });
    expect(heard.slice(2)).toEqual(["newBlockTemplate"]);
  });

  it("gives up a client that does not read what it asked for", async () => {
    const { node, server } = await serve();
    const client = new RawClient(server.address);
    const value = { includeAcceptedTransactionIds: false, command: undefined };
    client.stream.write(encodeRequest(1n, { $case: "notifyVirtualChainChanged", value }));
    await client.received(1);
    client.stream.pause();
    const told = RPC_LIMITS.grpcOutgoingMessages * 2;
    for (let count = 0; count < told; count += 1) node.tell(chainMoved({ added: 500 }));
    await new Promise((next) => setImmediate(next));
    client.stream.resume();
    expect(await client.ended.promise).toEqual({
      code: status.RESOURCE_EXHAUSTED,
      details: "the client reads too slowly",
    });
    expect(client.replies.length).toBeLessThan(told);
  });

  it("ends the streams of those who put facts together when the chain may be another one", async () => {
    const { node, server } = await serve();
    const [follower, miner, other] = [1, 2, 3].map(() => new RawClient(server.address));
    const value = { includeAcceptedTransactionIds: false, command: undefined };
    follower?.stream.write(encodeRequest(1n, { $case: "notifyVirtualChainChanged", value }));
    const templates = { $case: "notifyNewBlockTemplate", value: { command: undefined } } as const;
    miner?.stream.write(encodeRequest(1n, templates));
    other?.stream.write(encodeRequest(1n, { $case: "ping", value: {} }));
    for (const client of [follower, miner, other]) await client?.received(1);
    node.tell({ type: "engineRestarted" });
    expect(await follower?.ended.promise).toMatchObject({ code: status.UNAVAILABLE });
    const told = await miner?.received(2);
    expect(told?.[1]?.payload?.$case).toBe("newBlockTemplate");
    other?.stream.write(encodeRequest(2n, { $case: "ping", value: {} }));
    expect((await other?.received(2))?.length).toBe(2);
  });

  it("says goodbye when it stops, and stops once", async () => {
    const { node, server } = await serve();
    const client = connect(server);
    await client.call({ $case: "ping", value: {} });
    await Promise.all([server.stop(), server.stop()]);
    expect((await client.ended).data["reason"]).toMatch(/the node is stopping/);
    expect(node.listeners.size).toBe(0);
    await expect(client.call({ $case: "ping", value: {} })).rejects.toThrow("http/unavailable");
  });

  it("names a port that is taken", async () => {
    const { server } = await serve();
    const port = Number(server.address.split(":")[1]);
    const clock = new ManualClock(0n);
    const log = createLog("silent");
    const parts = { node: new FakeNode(), host: "127.0.0.1", port, clock, log };
    await expect(startGrpcServer(parts)).rejects.toThrow("node/port-in-use");
  });
});
