/** Makes a prover for programs of Node: our own over threads, or the upstream library. */
import { availableParallelism } from "node:os";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
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
import type { RawProvingKeys } from "@svc/shared/core/generated/proverGlue.ts";
import {
  movedBuffers,
  type ShardReport,
  type ShardRequest,
} from "@svc/shared/core/shardMessages.ts";
import { DerivedFiles } from "../platform/files/derivedFiles.ts";
import { siblingModule } from "../platform/thread/siblingModule.ts";
import { startThread } from "../platform/thread/thread.ts";
import {
  compileProverFile,
  loadProverFile,
  readCircuitAssets,
} from "../platform/files/wasmFiles.ts";

/** Settings of a prover. */
export type ProverOptions = {
  readonly prover: ProverKind;
  /** Threads that share a proof, this one included; null takes what suits the machine. */
  readonly threads: number | null;
  /** Folder for tables that the next start reads, or null. */
  readonly cacheFolder: string | null;
};

/** The number of proving threads that suits a machine with this many cores. */
export function proofThreads(cores: number): number {
  return Math.max(1, Math.min(CORE_LIMITS.proofThreadsDefault, cores));
}

/**
 * Makes a prover whose coordinator, and first share of the work, is in this thread: call it in a thread of its
 * own where something else must stay responsive. Errors: `engine/abi-mismatch`, `engine/panic`.
 */
export async function startProver({ prover, ...options }: ProverOptions): Promise<PlanProver> {
  if (prover === "upstream") return upstreamProver(await loadProverFile());
  const { keys, pool } = await startProofPool(options);
  return ownProver(keys, pool);
}

/** Starts the proof pool of our own prover by itself, with the keys in this thread that its proofs are begun with. */
export async function startProofPool({
  threads,
  cacheFolder,
}: Omit<ProverOptions, "prover">): Promise<{ keys: RawProvingKeys; pool: ProofPool }> {
  const { glue, module } = await compileProverFile();
  const prover = loadProver(glue, module);
  const files = new DerivedFiles(
    cacheFolder,
    "prover",
    callCore(() => prover.cacheTag()),
  );
  const keys = callCore(() => new prover.ProvingKeys(readCircuitAssets()));
  const shards = new ShardOpener(keys, module, files);
  const size = threads ?? proofThreads(availableParallelism());
  return { keys, pool: new ProofPool({ size, open: (place) => shards.open(place) }) };
}

/** Opens shards; the first one's tables are what the others, and the next start, begin with. */
class ShardOpener {
  readonly #keys: RawProvingKeys;
  readonly #module: WebAssembly.Module;
  readonly #files: DerivedFiles;

  constructor(keys: RawProvingKeys, module: WebAssembly.Module, files: DerivedFiles) {
    this.#keys = keys;
    this.#module = module;
    this.#files = files;
  }

  async open(place: number): Promise<ProofShard> {
    if (place === 0) return this.#openHere();
    const parts = { module: this.#module, assets: readCircuitAssets(), cache: this.#files.read() };
    return remoteShard(threadPort(), parts);
  }

  /** Runs to its end before any other place is opened: those find the tables that it stores. */
  #openHere(): ProofShard {
    const shard = callCore(() => this.#keys.shard(this.#files.read() ?? undefined));
    if (!shard.usedCache()) this.#files.write(callCore(() => shard.cache()));
    return localShard(shard, () => new Promise((resolve) => void setImmediate(resolve)));
  }
}

function threadPort(): ShardPort {
  const entry = siblingModule("shardThread", import.meta.url);
  const thread = startThread<ShardRequest, ShardReport>(entry, null);
  return {
    post: (request) => thread.post(request, movedBuffers(request)),
    onReport: (listener) => thread.onMessage(listener),
    onEnd: (listener) => thread.onExit(listener),
    end: () => void thread.end(0),
  };
}
