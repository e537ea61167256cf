/**
 * Entry of the prove worker, the web worker that makes proofs, one at a time; it holds viewing keys only and has no
 * network. It coordinates the shard workers, if there are any, and does a share of the work itself.
 */
import "../threads/disposePolyfill.ts";
import { expose, transfer } from "comlink";
import { callCore } from "@svc/shared/core/callCore.ts";
import { loadProver } from "@svc/shared/core/loadCore.ts";
import {
  ownProver,
  upstreamProver,
  type PlanProver,
  type ProverKind,
} from "@svc/shared/core/planProver.ts";
import { ProofPool } from "@svc/shared/core/proofPool.ts";
import {
  localShard,
  remoteShard,
  type ProofShard,
  type ShardPort,
} from "@svc/shared/core/proofShard.ts";
import type { RawPayment } from "@svc/shared/core/generated/proverGlue.ts";
import { movedBuffers, type ShardParts, type ShardReport } from "@svc/shared/core/shardMessages.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import * as glue from "../../wasm-core/pkg/prover/prover.js";
import type { ProvedParts } from "../wallet-api/keyringApi.ts";
import { installRpcErrors } from "../threads/rpcErrors.ts";

/** What the worker is initialised with. */
export type ProveSetup = {
  readonly prover: ProverKind;
  readonly parts: ShardParts;
  /** Each leads to a shard worker. */
  readonly shards: readonly MessagePort[];
};

installRpcErrors();
/** The host ends this worker to cancel. */
const never = new AbortController().signal;
let prover: PlanProver | null = null;
let payment: RawPayment | null = null;

const api = {
  /** Makes the prover. Gives the tables that were not stored yet, to be stored for the next start, else null. */
  async init({ prover: kind, parts, shards }: ProveSetup): Promise<Uint8Array | null> {
    const build = loadProver(glue, parts.module);
    if (kind === "upstream") {
      prover = upstreamProver(build);
      return null;
    }
    const keys = callCore(() => new build.ProvingKeys(parts.assets));
    const shard = callCore(() => keys.shard(parts.cache ?? undefined));
    const fresh = shard.usedCache() ? null : callCore(() => shard.cache());
    const open = async (place: number): Promise<ProofShard> => {
      const port = shards[place - 1];
      if (port === undefined) return localShard(shard, nextTurn);
      return remoteShard(shardPort(port), { ...parts, cache: fresh ?? parts.cache });
    };
    const pool = new ProofPool({ size: shards.length + 1, open });
    prover = ownProver(keys, pool);
    await pool.warm(never);
    return fresh;
  },
  /** Makes everything ready that the first proof would wait for. */
  async warm(): Promise<void> {
    await ready().warm(never);
  },
  /** For idle time after `warm`; gives way when a proof is asked for. */
  async rehearse(): Promise<void> {
    await ready().rehearse(never);
  },
  /** Proves a plan. Progress goes to the port while the call runs. */
  async prove(planJson: string, progress: MessagePort): Promise<ProvedParts> {
    const made = ready();
    payment?.free();
    payment = null;
    const tell = (stage: string, fraction: number) =>
      progress.postMessage({ stage: walletStage(stage), fraction } satisfies ProveStep);
    const proved = await made.prove(planJson, tell, never);
    progress.close();
    payment = proved;
    const bundle = proved.bundle();
    const parts = { bundle, disclosure: proved.disclosure(), alphas: proved.alphas() };
    return transfer(parts, [bundle.buffer]);
  },
  /** Adds signatures to the last proof and gives the raw transaction. */
  finalize(signatures: string): Uint8Array {
    const proved = payment;
    if (proved === null) throw new SvcError("wallet/worker-failed", { reason: "no payment" });
    const raw = callCore(() => proved.finalize(signatures));
    proved.free();
    payment = null;
    return transfer(raw, [raw.buffer]);
  },
};

/** One step of a proof: the stage's name and how much of it is done. */
export type ProveStep = { readonly stage: "building" | "proving"; readonly fraction: number };

/** The calls of the prove worker. */
export type ProveWorkerApi = typeof api;

function ready(): PlanProver {
  if (prover === null) throw new SvcError("wallet/worker-failed", { reason: "no prover" });
  return prover;
}

/** People see two stages; the wallet worker's phases are all part of proving. */
function walletStage(phase: string): ProveStep["stage"] {
  return phase === "building" ? "building" : "proving";
}

function shardPort(port: MessagePort): ShardPort {
  return {
    post: (request) => port.postMessage(request, movedBuffers(request)),
    onReport(listener) {
      port.addEventListener("message", ({ data }: MessageEvent<ShardReport>) => listener(data));
      port.start();
    },
    // The host sees a shard worker die, and ends this one with it.
    onEnd: () => undefined,
    end: () => port.close(),
  };
}

/** Resolves when other events of this thread had their turn; timers would wait milliseconds. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

expose(api);
