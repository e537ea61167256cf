/** What a stranger can do to the gRPC side of a link, and what it costs. */
import { gzipSync } from "node:zlib";
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Session,
} from "node:http2";
import { connect, createServer, type Socket } from "node:net";
import { Metadata, Server, type ServerDuplexStream } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { writeEnvelope, type P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { listenLocally } from "../../platform/testkit/listenLocally.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { PATIENT_DIAL } from "../testkit/patientDial.ts";
import { bindGrpc } from "../testkit/bindGrpc.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { answers, framed, isServed, written } from "../testkit/rawHttp2.ts";
import { PartialMessages } from "./partialMessages.ts";
import { dialPeer } from "./grpcDialer.ts";
import { startGrpcListener, type GrpcListener, type GrpcListenerParts } from "./grpcListener.ts";
import { ByteBudget } from "./byteBudget.ts";
import { Link, newLinkBudgets, type LinkBudgets } from "./link.ts";
import { peerServiceDefinition } from "./peerStream.ts";
import type { Wire } from "./wire.ts";

const HOST = "127.0.0.1";
const PATH = "/protowire.P2P/MessageStream";
const clock = new ManualClock(1_700_000_000_000n);
/** Milliseconds between two looks at messages that have begun, of a clock that the test moves. */
const LOOK_MS = 10;
const forever = new AbortController().signal;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Listening = { readonly listener: GrpcListener; readonly wires: () => Promise<Wire> };

async function listen(parts: Partial<GrpcListenerParts> = {}): Promise<Listening> {
  const accepted: Wire[] = [];
  let tell = (): void => {};
  const listener = await startGrpcListener({
    host: HOST,
    port: 0,
    admits: () => true,
    onWire: (wire) => {
      accepted.push(wire);
      tell();
    },
    closeMs: PATIENT_DIAL.closeMs,
    limits: { noStreamMs: PATIENT_DIAL.openMs },
    ...parts,
  });
  cleanups.push(() => listener.stop());
  const wires = async (): Promise<Wire> => {
    for (;;) {
      const wire = accepted.shift();
      if (wire !== undefined) return wire;
      await new Promise<void>((resolve) => (tell = resolve));
    }
  };
  return { listener, wires };
}

function linkOver(wire: Wire, budgets = newLinkBudgets()): Link {
  const link = new Link({ wire, clock, onUnknown: () => {}, budgets });
  cleanups.push(() => link.end(new SvcError("node/stopping", {})));
  return link;
}

/** A connection that says nothing by itself. */
async function connected(port: number): Promise<{ socket: Socket; closed: Promise<void> }> {
  const socket = connect(port, HOST);
  cleanups.push(() => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  // What the other side says must be read, or its end is never heard.
  socket.resume();
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return { socket, closed };
}

/** A stream by hand: what is written on it is framed by the caller. */
function rawStream(port: number, headers = {}): [ClientHttp2Stream, ClientHttp2Session] {
  const session = connectHttp2(`http://${HOST}:${port}`, { maxSessionMemory: 1_000 });
  session.on("error", () => undefined);
  cleanups.push(() => session.destroy());
  const stream = session.request({
    ":method": "POST",
    ":path": PATH,
    "content-type": "application/grpc+proto",
    te: "trailers",
    ...headers,
  });
  stream.on("error", () => undefined);
  stream.resume();
  return [stream, session];
}

/** Has the watch of what has begun look once; its sleeper is the clock's only one. */
async function look(time: ManualClock): Promise<void> {
  expect(time.sleeping).toBe(1);
  time.advance(LOOK_MS);
  // It sleeps again when it has looked.
  while (time.sleeping === 0) await settle();
}

type RawServer = {
  readonly port: number;
  /** Of the first visitor. */
  readonly session: Promise<Http2Session>;
  /** Resolves when the first answer has left. */
  readonly answered: Promise<void>;
};

/** A program that answers a stream with bytes that the test frames. */
async function rawServer(answer: Buffer): Promise<RawServer> {
  const server = createHttp2Server();
  const sessions = new Set<{ destroy: () => void }>();
  const first = Promise.withResolvers<Http2Session>();
  const answered = Promise.withResolvers<void>();
  server.on("session", (session) => {
    sessions.add(session);
    first.resolve(session);
  });
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    stream.respond({
      ":status": 200,
      "content-type": "application/grpc+proto",
      "grpc-encoding": "gzip",
    });
    written(stream, answer).then(answered.resolve, () => undefined);
    stream.resume();
  });
  const port = await listenLocally(server);
  cleanups.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port, session: first.promise, answered: answered.promise };
}

/** Time for all that does not wait for somebody: as much goes over another link, and is read. */
async function othersCarry(count: number, bytes: number): Promise<void> {
  const { listener, wires } = await listen();
  const from = linkOver(
    await dialPeer({ ip: HOST, port: listener.port }, forever, { limits: PATIENT_DIAL }),
  );
  const to = linkOver(await wires());
  const states = to.route(["shieldedMetadata"]);
  from.start();
  to.start();
  for (let sent = 0; sent < count; sent += 1) from.send(state(bytes));
  for (let read = 0; read < count; read += 1) await states.next(null);
}

const state = (bytes: number): P2pPayload => ({
  $case: "shieldedMetadata",
  value: { data: new Uint8Array(bytes), nullifierCount: 0n },
});
const pingBytes = writeEnvelope({
  payload: { $case: "ping", value: { nonce: 7n } },
  responseId: 0,
  requestId: 0,
});

describe("a listener", () => {
  it("charges a peer for what the library refuses of it", async () => {
    const { listener, wires } = await listen();
    const bomb = gzipSync(new Uint8Array(P2P_LIMITS.p2pPageBytes + 1));
    expect(bomb.length).toBeLessThan(P2P_LIMITS.p2pListBytes);
    const huge = Buffer.alloc(5);
    huge.writeUInt32BE(P2P_LIMITS.p2pPageBytes + 1, 1);
    const cases = [
      [framed(bomb, true), "p2p/message-too-large"],
      [huge, "p2p/message-too-large"],
      [framed(Uint8Array.of(1, 2, 3), true), "p2p/bad-message"],
    ] as const;
    for (const [bytes, code] of cases) {
      const [stream] = rawStream(listener.port, { "grpc-encoding": "gzip" });
      const link = linkOver(await wires());
      link.start();
      stream.write(bytes);
      expect((await link.ended).code).toBe(code);
    }
  });

  it("ends with a peer that says that it will say nothing more", async () => {
    const { listener, wires } = await listen();
    const [stream] = rawStream(listener.port);
    const link = linkOver(await wires());
    const pings = link.route(["ping"]);
    link.start();
    stream.write(framed(pingBytes));
    expect((await pings.next(null)).payload.value.nonce).toBe(7n);
    const over = new Promise<void>((resolve) => stream.once("close", () => resolve()));
    stream.end();
    expect((await link.ended).code).toBe("p2p/closed");
    await over;
  });

  it("ends connections that say nothing, or nothing that it knows, or whose stream is over, when their time is up", async () => {
    const time = new ManualClock(0n);
    const noStreamMs = 50;
    const { listener, wires } = await listen({ limits: { noStreamMs }, clock: time });
    const silent = await connected(listener.port);
    const other = await connected(listener.port);
    other.socket.write("GET / HTTP/1.1\r\n\r\n".repeat(10));
    const [stream, session] = rawStream(listener.port);
    const wire = await wires();
    // What it does not know it ends by itself.
    await other.closed;
    while (listener.connections() > 2) await settle();
    time.advance(noStreamMs - 1);
    await isServed(silent.socket);
    time.advance(1);
    await silent.closed;
    await answers(session);
    expect(listener.connections()).toBe(1);
    const gone = new Promise<void>((resolve) => session.once("close", () => resolve()));
    wire.close();
    stream.end();
    // One of the sleepers is the watch of what has begun.
    while (time.sleeping < 2) await settle();
    time.advance(noStreamMs);
    await gone;
    while (listener.connections() > 0) await settle();
  });

  it("has only so many places for connections without a stream", async () => {
    const { listener, wires } = await listen();
    const open: Awaited<ReturnType<typeof connected>>[] = [];
    const [stream, session] = rawStream(listener.port);
    await wires();
    for (let count = 0; count < P2P_LIMITS.p2pStreamless; count += 1) {
      open.push(await connected(listener.port));
    }
    while (listener.connections() <= P2P_LIMITS.p2pStreamless) await settle();
    // One more takes the place of the oldest, and those that speak are left alone.
    const late = await connected(listener.port);
    await open[0]?.closed;
    while (listener.connections() > P2P_LIMITS.p2pStreamless + 1) await settle();
    for (const one of [open[1], late]) if (one !== undefined) await isServed(one.socket);
    await answers(session);
    expect(stream.closed).toBe(false);
  });

  it("cuts off whom it refuses, before anything is said", async () => {
    const { listener } = await listen({ refuses: (ip) => ip === HOST });
    const { closed } = await connected(listener.port);
    await closed;
    expect(listener.connections()).toBe(0);
  });

  it("cuts off those that keep most of what has begun and is not whole, when it is too much", async () => {
    const partialBytes = 3 * 2 ** 20;
    const time = new ManualClock(0n);
    const { listener, wires } = await listen({
      limits: { lookMs: LOOK_MS, partialBytes },
      clock: time,
    });
    // Three of them are within the bound, with what is said around a message; four are not.
    const each = partialBytes / 3 - 64 * 1024;
    const message = framed(new Uint8Array(partialBytes)).subarray(0, each);
    const [quiet] = rawStream(listener.port);
    const quietLink = linkOver(await wires());
    const pings = quietLink.route(["ping"]);
    quietLink.start();
    const greedy: { readonly link: Link; readonly session: ClientHttp2Session }[] = [];
    const begin = async (): Promise<void> => {
      const [stream, session] = rawStream(listener.port);
      const link = linkOver(await wires());
      link.start();
      greedy.push({ link, session });
      await written(stream, message);
      await answers(session);
    };
    const cut = (): readonly boolean[] => greedy.map(({ link }) => link.signal.aborted);
    for (let opened = 0; opened < 3; opened += 1) await begin();
    await look(time);
    for (const { session } of greedy) await answers(session);
    expect(cut()).toEqual([false, false, false]);
    await begin();
    await look(time);
    const ended = await Promise.race(
      greedy.map(async ({ link }) => ({ link, code: (await link.ended).code })),
    );
    expect(ended.code).toBe("p2p/closed");
    // Without that one the others are within the bound.
    await look(time);
    for (const { link, session } of greedy) if (link !== ended.link) await answers(session);
    expect(cut().filter((isCut) => isCut)).toEqual([true]);
    quiet.write(framed(pingBytes));
    expect((await pings.next(null)).payload.value.nonce).toBe(7n);
  });

  it("takes one stream of a connection, and lets it send a good deal before it has read", async () => {
    const { listener, wires } = await listen();
    const [first, session] = rawStream(listener.port);
    const wire = await wires();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (session.remoteSettings.initialWindowSize === P2P_LIMITS.p2pInboundWindowBytes)
          resolve();
        else session.once("remoteSettings", look);
      };
      look();
    });
    const settings = await new Promise((resolve) => {
      if (session.remoteSettings.maxConcurrentStreams === 1) resolve(1);
      else session.once("remoteSettings", (said) => resolve(said.maxConcurrentStreams));
    });
    expect(settings).toBe(1);
    wire.close();
    first.end();
  });

  it("cuts everything when it stops, also what said nothing", async () => {
    const { listener, wires } = await listen();
    const { closed } = await connected(listener.port);
    const [stream] = rawStream(listener.port);
    const link = linkOver(await wires());
    link.start();
    const over = new Promise<void>((resolve) => stream.once("close", () => resolve()));
    await listener.stop();
    await Promise.all([closed, over]);
    expect((await link.ended).code).toBe("p2p/closed");
    while (listener.connections() > 0) await settle();
  });

  it("does not listen twice on a port", async () => {
    const { listener } = await listen();
    await expect(listen({ port: listener.port })).rejects.toMatchObject({
      code: "node/port-in-use",
    });
  });
});

describe("a dialer", () => {
  it("charges a peer for what the library refuses of it", async () => {
    const huge = Buffer.alloc(5);
    huge.writeUInt32BE(P2P_LIMITS.p2pProofBytes + 1, 1);
    for (const [answer, code] of [
      [huge, "p2p/message-too-large"],
      [framed(Uint8Array.of(1, 2, 3), true), "p2p/bad-message"],
    ] as const) {
      const { port } = await rawServer(answer);
      const link = linkOver(await dialPeer({ ip: HOST, port }, forever, { limits: PATIENT_DIAL }));
      link.start();
      expect((await link.ended).code).toBe(code);
    }
  });

  it("cuts off whoever keeps most of what has begun and is not whole, when it is too much", async () => {
    const partialBytes = 3 * 2 ** 20;
    const time = new ManualClock(0n);
    const begun = new PartialMessages({ partialBytes, lookMs: LOOK_MS }, time);
    cleanups.push(() => begun.stop());
    const message = framed(new Uint8Array(4 * partialBytes));
    const dialled = async (bytes: number) => {
      const { port, session, answered } = await rawServer(message.subarray(0, bytes));
      const link = linkOver(
        await dialPeer({ ip: HOST, port }, forever, { limits: PATIENT_DIAL, begun }),
      );
      link.start();
      await answered;
      await answers(await session);
      return { link, session: await session };
    };
    const modest = await dialled(partialBytes / 3);
    await look(time);
    await answers(modest.session);
    const greedy = await dialled(partialBytes);
    expect(greedy.link.signal.aborted).toBe(false);
    await look(time);
    expect((await greedy.link.ended).code).toBe("p2p/closed");
    await look(time);
    await answers(modest.session);
    expect(modest.link.signal.aborted).toBe(false);
  });

  it("does not charge a peer that refuses what it is sent", async () => {
    const server = new Server({ "grpc.max_receive_message_length": 1_000 });
    server.addService(peerServiceDefinition, {
      messageStream: (stream: ServerDuplexStream<Uint8Array, Uint8Array>) => {
        stream.sendMetadata(new Metadata());
        stream.resume();
      },
    });
    const port = await bindGrpc(server, HOST, 0);
    cleanups.push(() => server.forceShutdown());
    const link = linkOver(await dialPeer({ ip: HOST, port }, forever, { limits: PATIENT_DIAL }));
    link.start();
    link.send({ $case: "reject", value: { reason: "x".repeat(900) } });
    link.sendEncoded(new Uint8Array(1_001));
    expect((await link.ended).code).toBe("p2p/closed");
  });

  it("gives up when the caller does, while it connects and while the stream opens", async () => {
    const silent = createServer();
    cleanups.push(() => silent.close());
    const port = await listenLocally(silent);
    const cancel = new AbortController();
    const came = new Promise<Socket>((resolve) => silent.once("connection", resolve));
    const dialling = dialPeer({ ip: HOST, port }, cancel.signal, { limits: PATIENT_DIAL });
    const socket = await came;
    socket.on("error", () => undefined);
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.resume();
    cancel.abort();
    await expect(dialling).rejects.toMatchObject({ code: "run/aborted" });
    await gone;
  });
});

describe("a link over gRPC", () => {
  it("reads no more from a peer while its flows have enough, and goes on when they took it", async () => {
    const { listener, wires } = await listen();
    const enough = 2 * P2P_LIMITS.p2pQueuedShare;
    const budgets = (): LinkBudgets => ({ ...newLinkBudgets(), queued: new ByteBudget(enough) });
    const [dialled, taken] = [budgets(), budgets()];
    const dialer = linkOver(
      await dialPeer({ ip: HOST, port: listener.port }, forever, { limits: PATIENT_DIAL }),
      dialled,
    );
    const accepted = linkOver(await wires(), taken);
    dialer.start();
    accepted.start();
    const size = P2P_LIMITS.p2pQueuedShare / 2;
    const count = 12;
    for (const [from, to, { queued }] of [
      [dialer, accepted, taken],
      [accepted, dialer, dialled],
    ] as const) {
      const states = to.route(["shieldedMetadata"]);
      for (let sent = 0; sent < count; sent += 1) from.send(state(size + sent));
      while (queued.used < enough) await settle();
      await othersCarry(count, size);
      expect(queued.used).toBeLessThan(enough + 2 * size);
      for (let read = 0; read < count; read += 1) {
        const { payload } = await states.next(null);
        expect(payload.value.data.length).toBe(size + read);
      }
      expect(queued.used).toBe(0);
    }
  });

  it("counts what it sends until it has gone out", async () => {
    const { listener, wires } = await listen();
    const budgets = newLinkBudgets();
    const wire = await dialPeer({ ip: HOST, port: listener.port }, forever, {
      limits: PATIENT_DIAL,
    });
    const dialer = linkOver(wire);
    const accepted = linkOver(await wires(), budgets);
    accepted.start();
    dialer.start();
    wire.pause();
    const states = dialer.route(["shieldedMetadata"]);
    const count = (3 * P2P_LIMITS.p2pRoomBytes) / 2 ** 20;
    for (let sent = 0; sent < count; sent += 1) accepted.send(state(2 ** 20));
    await othersCarry(count, 2 ** 20);
    // Nobody reads: a message and the window are on their way, the rest waits here.
    const waiting = budgets.unsent.used;
    expect(waiting).toBeGreaterThan(P2P_LIMITS.p2pRoomBytes);
    let hasRoom = false;
    const room = accepted.room().then(() => (hasRoom = true));
    await othersCarry(count, 2 ** 20);
    expect([hasRoom, budgets.unsent.used]).toEqual([false, waiting]);
    wire.resume();
    for (let read = 0; read < count; read += 1) await states.next(null);
    await room;
    while (budgets.unsent.used > 0) await settle();
  });
});
