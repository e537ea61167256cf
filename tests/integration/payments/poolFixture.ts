/**
 * Mempool fixture over a real engine with the recorded payments, and the three ways into the pool: the browser protocol,
 * the gRPC stream and the relay among peers. Checks by the engine and verdicts on proofs happen when the test lets them.
 */
import { WorkRateLimiter, type WorkRates } from "@svc/node-server/engine/verify/workRateLimiter.ts";
import type { EngineHost } from "@svc/node-server/engine/host/engineHost.ts";
import type { ProofJob } from "@svc/node-server/engine/calls/engineMessages.ts";
import { Mempool } from "@svc/node-server/mempool/mempool.ts";
import { PoolStore } from "@svc/node-server/mempool/poolStore.ts";
import type { Peer } from "@svc/node-server/p2p/peers/peer.ts";
import { TransactionRelay } from "@svc/node-server/p2p/relay/transactionRelay.ts";
import { linkedPeer } from "@svc/node-server/p2p/testkit/linkedPeer.ts";
import { ManualClock, systemClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { startGrpcServer } from "@svc/node-server/rpc/grpc/grpcServer.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { startHttpServer } from "@svc/node-server/rpc/http/httpServer.ts";
import { FakeNode } from "@svc/node-server/rpc/testkit/fakeNode.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { asNullifier, asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, NOW_MS, simnet, startTrustingHost } from "../engine/engineFixture.ts";

/** The recorded payments. */
export const fixture = readPaymentFixture();

const LOOPBACK = "127.0.0.1";
/** Storage mass is the last field of a transaction; the anchor's block and the proof lie before it. */
const STORAGE_MASS_BYTES = 8;
const ANCHOR_BLOCK_BYTES = 32;

/** A payment with a storage mass, which its id does not cover. */
export function withStorageMass(raw: Uint8Array, mass = 1): Uint8Array {
  const changed = raw.slice();
  changed[changed.length - STORAGE_MASS_BYTES] = mass;
  return changed;
}

/** A payment whose proof does not hold, with an id of its own for every number; the verifier has the whole work with it. */
export function withFalseProof(raw: Uint8Array, number: number): Uint8Array {
  const changed = raw.slice();
  const end = changed.length - STORAGE_MASS_BYTES - ANCHOR_BLOCK_BYTES;
  // The low bytes of the proof's last number, which stays below its field's order.
  const change = number + 1;
  for (const [at, byte] of [change & 0xff, change >>> 8].entries()) {
    const place = end - 32 + at;
    changed[place] = (changed[place] ?? 0) ^ byte;
  }
  return changed;
}

function idOf(raw: Uint8Array): TxId {
  return asTxId(callCore(() => core.transactionId(raw)));
}

/** The pool with its servers and clients; `close` ends all. */
export class PoolScene {
  readonly engine: EngineHost;
  readonly kv = new MemoryKv();
  readonly clock = new ManualClock(NOW_MS);
  readonly work: WorkRateLimiter;
  /** Proofs that were asked for. */
  readonly judged: ProofJob[] = [];
  pool: Mempool;
  /** What a proof is judged as. */
  verify: (job: ProofJob) => Promise<SvcError | null> = async () => null;
  /** Checks by the engine wait for it. */
  gate: Promise<void> = Promise.resolve();
  /** Checks that were asked for. */
  checks = 0;
  readonly #closers: (() => unknown)[] = [];
  readonly #peers: Peer[] = [];
  readonly #relay: TransactionRelay;

  private constructor(engine: EngineHost, rates?: WorkRates) {
    this.engine = engine;
    this.work = new WorkRateLimiter(this.clock, rates);
    this.pool = this.#createPool();
    const { clock } = this;
    this.#relay = new TransactionRelay({
      pool: this.pool,
      peers: () => this.#peers,
      isSynced: () => true,
      isLooking: () => false,
      identify: idOf,
      random: () => 0.5,
      clock,
      log: createLog("silent"),
    });
  }

  /** Opens a pool over the recorded chain, before its last blocks. */
  static async open(rates?: WorkRates): Promise<PoolScene> {
    const engine = await startTrustingHost(null);
    const scene = new PoolScene(engine, rates);
    await scene.pool.start();
    for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
      await engine.insertBlock(raw, NOW_MS);
    }
    await scene.pool.settled();
    return scene;
  }

  /** Ends everything. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
    await this.pool.stop();
    await this.engine.stop();
  }

  /** Ends the pool and opens another one over the same store. */
  async reopen(): Promise<void> {
    await this.pool.stop();
    this.pool = this.#createPool();
    await this.pool.start();
  }

  /** Hands a payment in over the browser protocol; resolves with the id, or the code of the refusal. */
  async overHttp(): Promise<(raw: Uint8Array) => Promise<string>> {
    const { clock } = this;
    const at = { host: LOOPBACK, port: 0, pages: null, miner: null, rules: OWN_PAGES };
    const log = createLog("silent");
    const server = await startHttpServer({ node: this.#api(), ...at, clock, log });
    this.#closers.push(() => server.stop());
    return async (raw) => {
      const url = `${server.address}/v1/tx`;
      const response = await fetch(url, { method: "POST", body: raw.slice() });
      const answer: { txid?: string; code?: string } = await response.json();
      return answer.txid ?? answer.code ?? "";
    };
  }

  /** Hands a payment in over the gRPC stream; resolves with the id, or the words of the refusal. */
  async overGrpc(): Promise<(raw: Uint8Array) => Promise<string>> {
    const log = createLog("silent");
    const server = await startGrpcServer({
      node: this.#api(),
      host: LOOPBACK,
      port: 0,
      clock: systemClock,
      log,
    });
    const client = new GrpcClient(server.address);
    this.#closers.push(async () => {
      client.close();
      await server.stop();
    });
    return async (raw) => {
      const transaction = transactionToRpc(decodeRawTransaction(raw), undefined);
      const value = { transaction, allowOrphan: undefined };
      try {
        const answer = await client.call({ $case: "submitTransaction", value });
        return answer.transactionId;
      } catch (error) {
        return SvcError.from(error).message;
      }
    };
  }

  /** A peer that announces a payment and gives these bytes when it is asked. */
  overPeer(key: string) {
    const flows = [this.#relay.serve, this.#relay.follow];
    const { peer, remote, start } = linkedPeer(this.clock, flows, key);
    const requests = remote.route(["requestTransactions"]);
    remote.route(["invTransactions"]);
    this.#peers.push(peer);
    start();
    const give = async (txid: TxId, raw: Uint8Array): Promise<void> => {
      const ids = [{ bytes: decodeHex(txid) }];
      remote.send({ $case: "invTransactions", value: { ids } });
      await requests.next(null);
      remote.send({ $case: "transaction", value: transactionMessage(raw) });
    };
    return { link: peer.link, give };
  }

  /** A gate that holds the engine's checks until the returned call. */
  holdChecks(): () => void {
    const opened = Promise.withResolvers<void>();
    this.gate = opened.promise;
    return opened.resolve;
  }

  /** Resolves when a payment waits. */
  added(txid: TxId): Promise<void> {
    return new Promise((resolve) => {
      this.pool.onChange((change) => {
        if (change.type === "added" && change.entry.txid === txid) resolve();
      });
    });
  }

  #api(): FakeNode {
    const submitTransaction = (raw: Uint8Array, _signal?: AbortSignal, source?: string) =>
      this.pool.submit(raw, source);
    return Object.assign(new FakeNode(), { submitTransaction });
  }

  #createPool(): Mempool {
    const { engine } = this;
    return new Mempool({
      engine: {
        ask: engine.ask.bind(engine),
        onEvent: engine.onEvent.bind(engine),
        noteVerdict: engine.noteVerdict.bind(engine),
        checkTransaction: async (raw) => {
          this.checks += 1;
          await this.gate;
          return engine.checkTransaction(raw);
        },
      },
      verify: (job) => {
        this.judged.push(job);
        return this.verify(job);
      },
      identify: idOf,
      nullifiersOf: (raw, daaScore) => {
        const text = core.transactionSummary(simnet, raw, daaScore);
        const summary: { nullifiers: string[] } = JSON.parse(text);
        return summary.nullifiers.map(asNullifier);
      },
      work: this.work,
      store: new PoolStore(this.kv, (flush) => setImmediate(flush)),
      log: createLog("silent"),
      mass: { compute: 500_000n, transient: 1_000_000n },
      blockTimeMs: 1000,
    });
  }
}
