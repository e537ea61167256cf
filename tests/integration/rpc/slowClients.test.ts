/** The real gRPC server and clients that do not read what they asked for. */
import { once } from "node:events";
import http2, { type ClientHttp2Stream } from "node:http2";
import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { encodeContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import {
  encodeRequest,
  readResponse,
  type RequestPayload,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { FakeNode, fakeTip, hashOf } from "@svc/node-server/rpc/testkit/fakeNode.ts";
import { startGrpcServer, type GrpcServer } from "@svc/node-server/rpc/grpc/grpcServer.ts";
import { messageStream } from "@svc/node-server/client/messageStream.ts";
import { SendBuffers } from "@svc/node-server/rpc/grpc/sendBuffers.ts";

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const ANSWER_BYTES = 1024 * 1024;

/** A node whose every answer to `getInfo` has a megabyte, and takes no time to make. */
class TalkingNode extends FakeNode {
  override readonly version = "x".repeat(ANSWER_BYTES);
  /** Answers that were made. */
  made = 0;

  override status(): ReturnType<FakeNode["status"]> {
    this.made += 1;
    return super.status();
  }
}

type Served = { node: TalkingNode; server: GrpcServer; clock: ManualClock; outlets: SendBuffers };

async function serve(): Promise<Served> {
  const node = new TalkingNode();
  const clock = new ManualClock(0n);
  const outlets = new SendBuffers(clock);
  const log = createLog("silent");
  const parts = { node, host: "127.0.0.1", port: 0, clock, log, outlets };
  const server = await startGrpcServer(parts);
  closers.push(() => server.stop());
  return { node, server, clock, outlets };
}

/** A stream of its own connection, of which nothing is read before it is asked for. */
class SlowClient {
  readonly stream: ClientHttp2Stream;
  /** Settles when the server has begun to answer. */
  readonly opened: Promise<unknown>;
  #onReadable: () => void = () => {};

  constructor(server: GrpcServer, from: string) {
    const [host = "", port] = server.address.split(":");
    const createConnection = (): net.Socket =>
      net.connect({ host, port: Number(port), localAddress: from });
    const session = http2.connect(`http://${server.address}`, { createConnection });
    session.on("error", () => {});
    this.stream = session.request({
      ":method": "POST",
      ":path": messageStream.path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    this.stream.on("error", () => {});
    // Without a listener the module would end the stream at the first headers.
    this.opened = once(this.stream, "response");
    this.opened.catch(() => undefined);
    // Heard all the time: a listener that comes anew is told at once of what is too little.
    this.stream.on("readable", () => this.#onReadable());
    closers.push(() => session.destroy());
  }

  /** Whether something has come that was not read. */
  get hasMore(): boolean {
    return this.stream.readableLength > 0;
  }

  /** Writes a request; resolves when it is on its way. */
  ask(id: number, payload: RequestPayload): Promise<void> {
    const bytes = encodeRequest(BigInt(id), payload);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    return new Promise((resolve) => {
      this.stream.write(Buffer.concat([head, bytes]), () => resolve());
    });
  }

  /** Asks for so many large answers. */
  askMuch(count: number): void {
    for (let id = 1; id <= count; id += 1) void this.ask(id, { $case: "getInfo", value: {} });
  }

  /** The next answer. */
  async answer(): Promise<ResponsePayload | undefined> {
    const head = await this.#take(5);
    return readResponse(await this.#take(head.readUInt32BE(1))).payload;
  }

  async #take(count: number): Promise<Buffer> {
    for (;;) {
      const bytes: unknown = this.stream.read(count);
      if (bytes instanceof Buffer && bytes.length === count) return bytes;
      await new Promise<void>((resolve) => (this.#onReadable = resolve));
    }
  }
}

/** Lets everything run that waits on nothing but this machine's sockets; returns how many clients there are beside this one. */
async function settle(server: GrpcServer): Promise<number> {
  const honest = new SlowClient(server, "127.0.0.9");
  let clients = 0;
  for (let id = 1; id <= 20; id += 1) {
    await honest.ask(id, { $case: "getConnections", value: { includeProfileData: false } });
    const answer = await honest.answer();
    if (answer?.$case === "getConnections") clients = answer.value.clients - 1;
  }
  const gone = once(honest.stream, "close");
  honest.stream.destroy();
  await gone;
  return clients;
}

describe("clients that do not read", () => {
  it("have no more answers made than they have room for, and get the rest when they read", async () => {
    const { node, server } = await serve();
    const slow = new SlowClient(server, "127.0.0.2");
    slow.askMuch(60);
    await slow.opened;
    await settle(server);
    const room = RPC_LIMITS.grpcRoomBytes / ANSWER_BYTES;
    // What its connection holds is not unread.
    expect(node.made).toBeGreaterThanOrEqual(room);
    expect(node.made).toBeLessThanOrEqual(room + 2);
    for (let count = 0; count < 60; count += 1) {
      expect((await slow.answer())?.$case).toBe("getInfo");
    }
  });

  it("share the room, however many they are, and a client that reads is answered at once", async () => {
    const { node, server } = await serve();
    const slow = Array.from({ length: 100 }, () => new SlowClient(server, "127.0.0.2"));
    for (const client of slow) client.askMuch(20);
    await Promise.all(slow.map(({ opened }) => opened));
    await settle(server);
    // Each has one answer at most beside those that fill the room.
    const room = RPC_LIMITS.grpcTotalRoomBytes / ANSWER_BYTES;
    expect(node.made).toBeGreaterThanOrEqual(room);
    expect(node.made).toBeLessThanOrEqual(room + slow.length);
    const honest = new SlowClient(server, "127.0.0.3");
    honest.askMuch(5);
    for (let count = 0; count < 5; count += 1) {
      expect((await honest.answer())?.$case).toBe("getInfo");
    }
  });

  it("are cut off after a time in which they took nothing", async () => {
    const { server, clock } = await serve();
    const slow = new SlowClient(server, "127.0.0.2");
    slow.askMuch(20);
    await slow.opened;
    clock.advance(RPC_LIMITS.grpcUnreadMs - 1);
    expect(await settle(server)).toBe(1);
    clock.advance(1 + (1_000 * 2 * RPC_LIMITS.grpcRoomBytes) / RPC_LIMITS.grpcSlowBytes);
    await settle(server);
    clock.advance(RPC_LIMITS.grpcFarewellMs);
    expect(await settle(server)).toBe(0);
  });

  it("and read a little at a time are not cut off, and cost no more", async () => {
    const { node, server, clock } = await serve();
    const slow = new SlowClient(server, "127.0.0.2");
    slow.askMuch(60);
    for (let count = 1; count <= 5; count += 1) {
      expect((await slow.answer())?.$case).toBe("getInfo");
      clock.advance(2 * RPC_LIMITS.grpcUnreadMs);
      expect(await settle(server)).toBe(1);
      expect(node.made).toBeLessThanOrEqual(count + RPC_LIMITS.grpcRoomBytes / ANSWER_BYTES + 2);
    }
  });

  it("are read from no further while their unanswered requests are too many bytes", async () => {
    const { node, server, outlets } = await serve();
    const gate = Promise.withResolvers<string>();
    node.answers.tip = () => gate.promise;
    const large = new SlowClient(server, "127.0.0.2");
    const blockHash = "00".repeat(4 * 1024 * 1024);
    const part = { $case: "getShieldedSupply", value: { blockHash } } as const;
    const ping = { $case: "ping", value: {} } as const;
    await large.opened;
    // It waits for the tip, and those of its kind wait for it.
    void large.ask(1, { $case: "getShieldedSupply", value: { blockHash: undefined } });
    const fitting = Math.ceil(RPC_LIMITS.grpcPendingBytes / blockHash.length) - 1;
    for (let id = 0; id < fitting; id += 1) void large.ask(10 + id, part);
    void large.ask(2, ping);
    expect((await large.answer())?.$case).toBe("ping");
    for (let id = 0; id < 2; id += 1) void large.ask(20 + id, part);
    void large.ask(3, ping);
    // As much of somebody else is read and answered meanwhile.
    const other = new SlowClient(server, "127.0.0.3");
    await other.opened;
    for (let id = 0; id < 4; id += 1) {
      const value = { startHash: blockHash, includeAcceptedTransactionIds: false };
      void other.ask(id, {
        $case: "getVirtualChainFromBlock",
        value: { ...value, minConfirmationCount: undefined },
      });
    }
    void other.ask(9, ping);
    for (let count = 0; count < 5; count += 1) expect(await other.answer()).toBeDefined();
    expect(large.hasMore).toBe(false);
    expect(outlets.asked).toBeGreaterThan(fitting * blockHash.length);
    gate.resolve(fakeTip(1));
    const answers = new Set<string>();
    for (let count = 0; count < fitting + 4; count += 1) {
      answers.add((await large.answer())?.$case ?? "");
    }
    expect(answers).toEqual(new Set(["getShieldedSupply", "ping"]));
    expect(outlets.asked).toBe(0);
  });

  it("have few answers of many megabytes made at the same time, one for each host", async () => {
    const { node, server } = await serve();
    const waiting: (() => void)[] = [];
    node.answers.records = () =>
      new Promise((resolve) => waiting.push(() => resolve(encodeContainer(asChainIndex(1n), []))));
    const value = { startHash: hashOf(0), limit: 1n, metadataOnly: false };
    const hosts = ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"];
    const clients = hosts.map((from) => new SlowClient(server, from));
    for (const client of clients) await client.ask(1, { $case: "getShieldedBlocks", value });
    await settle(server);
    expect(waiting).toHaveLength(RPC_LIMITS.grpcLargeTurns);
    for (let count = 0; count < clients.length; count += 1) {
      waiting[count]?.();
      await settle(server);
    }
    for (const client of clients) {
      expect((await client.answer())?.$case).toBe("getShieldedBlocks");
    }
  });
});

describe("all clients together", () => {
  /** An outlet of a host that has so many bytes unread. */
  function holding(outlets: SendBuffers, source: string, bytes: number) {
    const over = new AbortController();
    const outlet = outlets.open({
      source,
      signal: over.signal,
      write: () => {},
      cut: () => over.abort(),
      onStuck: () => {},
    });
    outlet.send(new Uint8Array(bytes));
    closers.push(() => over.abort());
    return {
      outlet,
      get isCut() {
        return over.signal.aborted;
      },
    };
  }

  it("hold so many bytes: the host with the most loses its largest stream", () => {
    const outlets = new SendBuffers(new ManualClock(0n));
    const part = RPC_LIMITS.grpcUnsentBytes / 8;
    const held = [
      holding(outlets, "honest", 2.5 * part),
      holding(outlets, "many", part),
      holding(outlets, "many", 2 * part),
      holding(outlets, "many", part),
    ];
    expect(held.map(({ isCut }) => isCut)).toEqual([false, false, false, false]);
    const last = holding(outlets, "other", 2 * part);
    expect([...held, last].map(({ isCut }) => isCut)).toEqual([false, false, true, false, false]);
    expect(outlets.unsent).toBeLessThanOrEqual(RPC_LIMITS.grpcUnsentBytes);
  });

  it("wait for answers to so many bytes of requests, which count with what they left unread", () => {
    const outlets = new SendBuffers(new ManualClock(0n));
    const part = RPC_LIMITS.grpcUnsentBytes / 8;
    const honest = holding(outlets, "honest", 2.5 * part);
    const asking = [holding(outlets, "asking", 0), holding(outlets, "asking", 0)] as const;
    asking[0].outlet.ask(2 * part);
    asking[1].outlet.ask(3 * part);
    expect([honest, ...asking].map(({ isCut }) => isCut)).toEqual([false, false, false]);
    asking[0].outlet.ask(1.5 * part);
    expect([honest, ...asking].map(({ isCut }) => isCut)).toEqual([false, true, false]);
    // What it asked is given back, and an answer that comes later is of nobody.
    asking[0].outlet.ask(-3.5 * part);
    const late = holding(outlets, "late", 2 * part);
    expect([honest, asking[1], late].map(({ isCut }) => isCut)).toEqual([false, false, false]);
  });
});
