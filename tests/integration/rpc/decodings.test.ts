/**
 * Number of times that a submitted payment is decoded on its way to a template. Whoever is handed its raw bytes decodes them, so what is
 * counted are calls of the core and of the verifiers that hold these bytes, seen from outside.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createNodeApi } from "@svc/node-server/app/node/createNodeApi.ts";
import { NetworkHalt } from "@svc/node-server/app/node/networkHalt.ts";
import { SyncState } from "@svc/node-server/app/node/syncState.ts";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import type { EngineReport, EngineRequest } from "@svc/node-server/engine/calls/engineMessages.ts";
import { EngineHost } from "@svc/node-server/engine/host/engineHost.ts";
import { EngineSession } from "@svc/node-server/engine/host/engineSession.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { BlockIngest } from "@svc/node-server/engine/ingest/blockIngest.ts";
import { ReaderHost } from "@svc/node-server/engine/read/readerHost.ts";
import type { VerifyReport, VerifyRequest } from "@svc/node-server/engine/verify/verifyMessages.ts";
import { VerifyPool } from "@svc/node-server/engine/verify/verifyPool.ts";
import { WorkRateLimiter } from "@svc/node-server/engine/verify/workRateLimiter.ts";
import { Mempool } from "@svc/node-server/mempool/mempool.ts";
import { PoolStore } from "@svc/node-server/mempool/poolStore.ts";
import { TemplateService } from "@svc/node-server/mining/templateService.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import type { Thread } from "@svc/node-server/platform/thread/thread.ts";
import { ManualClock, systemClock } from "@svc/node-server/platform/time/clock.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { startGrpcServer } from "@svc/node-server/rpc/grpc/grpcServer.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { startHttpServer } from "@svc/node-server/rpc/http/httpServer.ts";
import type { NodeApi } from "@svc/node-server/rpc/service/nodeApi.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { asBlockHash, asNullifier, asTxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeServerFrame, encodeClientFrame } from "@svc/shared/protocol/http/liveFrames.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, NOW_MS, recipient, simnet } from "../engine/engineFixture.ts";
import { never, trustingVerifier } from "../node/nodeFixture.ts";
import { occurrences } from "./wireTap.ts";

const fixture = readPaymentFixture();
const LOOPBACK = "127.0.0.1";
const clock = new ManualClock(NOW_MS);
const log = createLog("silent");
const work = new WorkRateLimiter(clock);
const profile = loadNetwork(core, { name: "simnet" });

/** Who was handed the bytes of a payment. */
class Handings {
  readonly #bytes: Uint8Array;
  readonly calls: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Notes a call once for each time that its arguments hold the bytes. */
  note(name: string, args: readonly unknown[]): void {
    for (const arg of args) {
      if (!(arg instanceof Uint8Array)) continue;
      for (let left = occurrences(arg, this.#bytes); left > 0; left -= 1) this.calls.push(name);
    }
  }

  /** The same object, with every call of its functions noted. */
  watch<T extends object>(target: T, whose: string): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          this.note(`${whose} ${String(name)}`, args);
          return Reflect.apply(value, object, args);
        };
      },
    });
  }
}

/** The engine's session as a thread of its own would run it, in this one. */
function sessionThread(engine: RawEngine): Thread<EngineRequest, EngineReport> {
  let hear: (report: EngineReport) => void = () => {};
  const over = Promise.withResolvers<void>();
  const session = new EngineSession({
    engine,
    prune: null,
    report: (report) => hear(report),
    flush: () => {},
    defer: (turn) => setImmediate(turn),
    later: (call) => void setImmediate(call),
    ended: over.resolve,
  });
  return {
    post: (request) => session.receive(structuredClone(request)),
    onMessage: (listener) => {
      hear = listener;
      queueMicrotask(() => listener({ kind: "opened", migrated: [] }));
    },
    onExit: (listener) => void over.promise.then(() => listener(new SvcError("node/stopping", {}))),
    end: () => over.promise,
  };
}

/** A verifying thread that trusts every proof; what it is handed is noted. */
function verifyThread(handings: Handings): Thread<VerifyRequest, VerifyReport> {
  const thread = trustingVerifier();
  return {
    ...thread,
    post: (request) => {
      if ("jobs" in request) for (const { raw } of request.jobs) handings.note("verifier", [raw]);
      thread.post(request);
    },
  };
}

/** The engine and the verifiers of a node, watched. */
function openEngine(handings: Handings) {
  const raw = new core.Engine(kvHostStore(new MemoryKv()), simnet);
  const engine = new EngineHost({
    setBatchDelay: () => undefined,
    spawn: () => sessionThread(handings.watch(raw, "engine")),
    judge: () => Promise.resolve(true),
    log,
    onFatal: () => {},
  });
  const verifiers = new VerifyPool({
    spawn: () => verifyThread(handings),
    last: null,
    threads: 1,
    batch: 1,
    clock,
    log,
    onFatal: () => {},
  });
  return { engine, verifiers };
}

/** A pool over them, with the core of the main thread. */
function openPool(main: CoreGlue, { engine, verifiers }: ReturnType<typeof openEngine>): Mempool {
  const { massLimits, targetTimePerBlockMs } = profile;
  return new Mempool({
    engine,
    verify: (job, source) => verifiers.verify(job, { source }),
    work,
    identify: (raw) => asTxId(main.transactionId(raw)),
    nullifiersOf: (raw, daaScore) => {
      const summary: { nullifiers: string[] } = JSON.parse(
        main.transactionSummary(simnet, raw, daaScore),
      );
      return summary.nullifiers.map(asNullifier);
    },
    store: new PoolStore(new MemoryKv(), (flush) => setImmediate(flush)),
    log,
    mass: { compute: BigInt(massLimits.compute), transient: BigInt(massLimits.transient) },
    blockTimeMs: targetTimePerBlockMs,
  });
}

/** A node of real parts over the recorded chain, each handed a watched core. */
async function openNode(handings: Handings) {
  const main = handings.watch(core, "main");
  const judged = openEngine(handings);
  const { engine, verifiers } = judged;
  await engine.start();
  verifiers.start();
  const reader = new ReaderHost({ spawn: null, engine, log });
  const pool = openPool(main, judged);
  const api = createNodeApi({
    ...judged,
    core: main,
    profile,
    clock,
    reader,
    ingest: new BlockIngest({ engine, work, clock, log }),
    pool,
    work,
    templates: new TemplateService({ engine, pool, clock, version: "0" }),
    sync: new SyncState({ engine, profile, clock }),
    halt: new NetworkHalt({ engine, reader, profile, clock }),
    archival: false,
    allowUnsyncedMining: false,
    peers: null,
    network: null,
    index: null,
    unsafeRpc: false,
    warnings: () => [],
  });
  await pool.start();
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) await api.submitBlock(raw, never);
  await pool.settled();
  const stop = async (): Promise<void> => {
    await pool.stop();
    await verifiers.stop();
    await engine.stop();
  };
  return { api, stop };
}

const { raw, txid } = fixture.payment("waiting");
let handings: Handings;
let api: NodeApi;
let http: Awaited<ReturnType<typeof startHttpServer>>;
let grpc: Awaited<ReturnType<typeof startGrpcServer>>;
let closers: (() => unknown)[];

beforeEach(async () => {
  handings = new Handings(raw);
  const node = await openNode(handings);
  ({ api } = node);
  const at = { node: api, host: LOOPBACK, port: 0, clock: systemClock, log };
  http = await startHttpServer({ ...at, pages: null, miner: null, rules: OWN_PAGES });
  grpc = await startGrpcServer(at);
  closers = [node.stop, () => grpc.stop(), () => http.stop()];
});
afterEach(async () => {
  for (const close of closers.toReversed()) await close();
});

async function submitOverHttp(): Promise<string> {
  const answer = await fetch(`${http.address}/v1/tx`, { method: "POST", body: raw.slice() });
  const { txid: answered }: { txid: string } = await answer.json();
  return answered;
}

async function submitOverGrpc(): Promise<string> {
  const client = new GrpcClient(grpc.address);
  closers.push(() => client.close());
  const transaction = transactionToRpc(decodeRawTransaction(raw), undefined);
  const value = { transaction, allowOrphan: undefined };
  return (await client.call({ $case: "submitTransaction", value })).transactionId;
}

/** A template for this miner, which must hold the payment. */
async function expectInTemplate(miner: number): Promise<void> {
  const request = { payScript: recipient(miner), extraData: new Uint8Array() };
  expect(occurrences(await api.template(request, never), raw)).toBe(1);
}

/** A browser that watches what waits; `added` resolves with the next payment that it is shown. */
async function openBrowser(): Promise<{ readonly added: Promise<Uint8Array> }> {
  const socket = new WebSocket(`${http.address.replace("http", "ws")}/v1/live`);
  closers.push(() => socket.terminate());
  const subscribed = Promise.withResolvers<void>();
  const added = Promise.withResolvers<Uint8Array>();
  socket.on("open", () => {
    const after = asBlockHash(fixture.genesis);
    socket.send(encodeClientFrame({ type: "subscribe", after, pool: true }));
  });
  socket.on("message", (data: Buffer) => {
    const frame = decodeServerFrame(new Uint8Array(data));
    if (frame.type === "tip") subscribed.resolve();
    if (frame.type === "poolAdd") added.resolve(frame.payment);
  });
  await subscribed.promise;
  return { added: added.promise };
}

describe("a submitted payment is decoded at most twice on its way to a template", () => {
  test.each([
    ["the browser protocol", submitOverHttp],
    ["gRPC", submitOverGrpc],
  ])("over %s: by the engine and by a verifier", async (_, submit) => {
    expect(await submit()).toBe(txid);
    await expectInTemplate(1);
    expect(handings.calls.toSorted()).toEqual(["engine holdTransaction", "verifier"]);
    // Further templates are made of what is held.
    await expectInTemplate(2);
    await expectInTemplate(3);
    expect(handings.calls).toHaveLength(2);
  });

  test("and once more for all browsers together that are shown what waits", async () => {
    const browsers = await Promise.all([openBrowser(), openBrowser(), openBrowser()]);
    expect(await submitOverHttp()).toBe(txid);
    await expectInTemplate(1);
    const frames = await Promise.all(browsers.map(({ added }) => added));
    expect(frames.map(({ length }) => length)).toEqual(browsers.map(() => 34 + 2 * 788));
    expect(handings.calls.toSorted()).toEqual([
      "engine holdTransaction",
      "main mempoolFrame",
      "verifier",
    ]);
  });
});
