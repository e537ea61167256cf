/**
 * Checks the consistency of a network's database with its own blocks.
 *
 * The folder is held like a node's, its database only read. The engine that takes the blocks in again writes a
 * database beside it, in a folder that is removed at the end; what a killed check left is removed by the next.
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { APP_LIMITS } from "../appLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { WasmObject } from "@svc/shared/core/wasmHost.ts";
import type { ProofJob } from "../../engine/calls/engineMessages.ts";
import { kvHostStore, readHostStore } from "../../engine/host/kvHostStore.ts";
import { createProofPool, type ProofPoolOptions } from "../../engine/startEngine.ts";
import {
  checkStore,
  type CheckProgress,
  type StoreCheckResult,
} from "../../engine/check/storeCheck.ts";
import type { VerifyPool } from "../../engine/verify/verifyPool.ts";
import { acquireLock } from "../../platform/files/lockFile.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import type { Kv } from "../../storage/kv.ts";
import { checkDatabase, WHOLE_DEPTH } from "../../storage/checkDatabase.ts";
import { CONSENSUS_LAYOUT } from "../../storage/layout.ts";
import { openReadOnly, openStore } from "../../storage/openStore.ts";
import { giveUp } from "../folder/dataFolder.ts";
import { onFolder } from "../folder/folderError.ts";

/** Settings of a check. */
export type VerifyOptions = Omit<ProofPoolOptions, "root" | "profile" | "onFatal"> & {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly appdir: string;
  /** Takes verdicts on proofs from the store. */
  readonly assumeProofs: boolean;
  readonly progress: (progress: CheckProgress) => void;
  readonly signal: AbortSignal;
};

/** Below a network's folder: the database of the engine that takes the blocks in again. */
const CHECK_FOLDER = "verify";

/**
 * Checks a store. Errors: `verify/difference` with the first difference, `verify/no-store`, `node/already-running`,
 * `store/version` for another layout, `run/aborted`.
 */
export async function verifyStore(options: VerifyOptions): Promise<StoreCheckResult> {
  const root = join(options.appdir, options.profile.networkName);
  if (!existsSync(join(root, CONSENSUS_LAYOUT.name, "data.mdb"))) {
    throw new SvcError("verify/no-store", { path: root });
  }
  const lock = onFolder(root, () => acquireLock(join(root, "lock")));
  const scratch = join(root, CHECK_FOLDER);
  try {
    onFolder(root, () => {
      rmSync(scratch, { recursive: true, force: true });
      mkdirSync(scratch);
    });
    return await withStores(options, { root, scratch });
  } finally {
    try {
      rmSync(scratch, { recursive: true, force: true });
    } finally {
      // A node looks at more than this check does.
      giveUp(lock);
    }
  }
}

type Folders = { readonly root: string; readonly scratch: string };

async function withStores(options: VerifyOptions, folders: Folders): Promise<StoreCheckResult> {
  const { core, profile } = options;
  const stores: Kv[] = [];
  const objects: WasmObject[] = [];
  const proofs = new LazyPool(options, folders.root);
  try {
    checkDatabase(join(folders.root, CONSENSUS_LAYOUT.name), WHOLE_DEPTH);
    const under = openReadOnly(folders.root, CONSENSUS_LAYOUT);
    stores.push(under);
    const { store } = await openStore(folders.scratch, CONSENSUS_LAYOUT);
    stores.push(store);
    const stored = callCore(() => new core.Reader(readHostStore(under), profile.canonicalJson));
    objects.push(stored);
    const computed = callCore(() => new core.Engine(kvHostStore(store), profile.canonicalJson));
    objects.push(computed);
    return await checkStore({
      stored,
      computed,
      judge: options.assumeProofs ? null : (job) => proofs.judge(job),
      pause: () => new Promise((resolve) => setImmediate(resolve)),
      progress: options.progress,
      signal: options.signal,
    });
  } finally {
    await proofs.stop();
    for (const object of objects) object.free();
    for (const store of stores) await store.close();
  }
}

/** The pool that judges proofs, started when the first one comes: most blocks have none. */
class LazyPool {
  readonly #options: VerifyOptions;
  readonly #root: string;
  #pool: VerifyPool | null = null;
  readonly #failed = Promise.withResolvers<never>();

  constructor(options: VerifyOptions, root: string) {
    this.#options = options;
    this.#root = root;
    this.#failed.promise.catch(() => {});
  }

  async judge(job: ProofJob): Promise<boolean> {
    const pool = this.#pool ?? this.#start();
    const verdict = pool.verify(job, { urgent: true });
    return (await Promise.race([verdict, this.#failed.promise])) === null;
  }

  #start(): VerifyPool {
    const pool = createProofPool({
      ...this.#options,
      root: this.#root,
      profile: this.#options.profile.canonicalJson,
      onFatal: (error) => this.#failed.reject(error),
    });
    this.#pool = pool;
    pool.start();
    return pool;
  }

  async stop(): Promise<void> {
    await this.#pool?.stop();
  }
}

/** The speed of a check so far, in blocks a second. */
export function blocksPerSecond(blocks: number, elapsedMs: number): number {
  return elapsedMs < APP_LIMITS.progressLineMs ? 0 : Math.round((blocks * 1000) / elapsedMs);
}
