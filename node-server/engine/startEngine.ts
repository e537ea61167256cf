/** Puts together the engine's host, the verification pool and the reader with their real threads. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProverKind } from "@svc/shared/core/planProver.ts";
import type { Clock } from "../platform/time/clock.ts";
import { componentLog, type Log } from "../platform/log/log.ts";
import { startBatchedThread } from "../platform/thread/batchedThread.ts";
import { DERIVED_FOLDER, SET_UP_TABLES } from "../platform/files/derivedFiles.ts";
import { siblingModule } from "../platform/thread/siblingModule.ts";
import { startThread, type Thread } from "../platform/thread/thread.ts";
import { isOutOfRoom } from "../storage/diskSpace.ts";
import { CONSENSUS_LAYOUT } from "../storage/layout.ts";
import { EngineHost } from "./host/engineHost.ts";
import type { EngineReport, EngineRequest } from "./calls/engineMessages.ts";
import type { EngineWorkerData } from "./host/engineWorker.ts";
import { FallbackVerifier } from "./verify/fallbackVerifier.ts";
import { ReaderHost } from "./read/readerHost.ts";
import type { ReaderReport, ReaderRequest, ReaderWorkerData } from "./read/readerMessages.ts";
import { StagedImport } from "./import/stagedImport.ts";
import { StoreFaults } from "./calls/storeFaults.ts";
import type { VerifyReport, VerifyRequest, VerifyWorkerData } from "./verify/verifyMessages.ts";
import { VerifyPool, verifyBatch, verifyWorkers } from "./verify/verifyPool.ts";

/** Settings and dependencies of the engine. */
export type EngineOptions = {
  /** Folder that holds `consensus/`, or null for a chain in memory. */
  readonly root: string | null;
  /** Canonical profile. */
  readonly profile: string;
  /** Keeps every body: nothing is pruned. */
  readonly archival: boolean;
  /** Which implementation judges proofs, and in how many threads at most (null: what suits the machine). */
  readonly proofs: { readonly prover: ProverKind; readonly threads: number | null };
  readonly clock: Clock;
  readonly log: Log;
  /** Starts a verifying thread; left out, the one that judges proofs. */
  readonly spawnVerifier?: () => Thread<VerifyRequest, VerifyReport>;
  /** Called when the engine or the verifiers cannot be kept running. */
  readonly onFatal: (error: SvcError) => void;
};

/** The engine, its verification pool, and its reader. */
export type EngineParts = {
  readonly engine: EngineHost;
  readonly verifiers: VerifyPool;
  readonly reader: ReaderHost;
  /** Of the store that engine and reader share with whoever else reads it. */
  readonly storeFaults: StoreFaults;
};

/** Makes all three; their `start()` starts them, the reader's after the engine's has resolved. */
export function createEngine(options: EngineOptions): EngineParts {
  const { root, profile, log, onFatal } = options;
  const verifiers = createProofPool(options);
  const storeFaults = faultsOf(root, onFatal);
  const engine = createEngineHost({ ...options, storeFaults }, verifiers);
  const reader = new ReaderHost({
    spawn:
      root === null
        ? null
        : () =>
            startThread<ReaderRequest, ReaderReport>(
              siblingModule("read/readerWorker", import.meta.url),
              { root, profile } satisfies ReaderWorkerData,
            ),
    engine,
    log: componentLog(log, "reader"),
    storeFaults,
  });
  return { engine, verifiers, reader, storeFaults };
}

function faultsOf(root: string | null, onFatal: (error: SvcError) => void): StoreFaults {
  return new StoreFaults({ folder: root && join(root, CONSENSUS_LAYOUT.name), onFatal });
}

type HostOptions = Pick<EngineOptions, "root" | "profile" | "archival" | "log" | "onFatal"> & {
  readonly storeFaults: StoreFaults;
};

function createEngineHost(
  options: HostOptions,
  verifiers: Pick<VerifyPool, "verify" | "setBatchDelay">,
): EngineHost {
  const { root, profile, archival, log, onFatal, storeFaults } = options;
  return new EngineHost({
    spawn: () =>
      startBatchedThread<EngineRequest, EngineReport>(
        siblingModule("host/engineWorker", import.meta.url),
        { root, profile, archival } satisfies EngineWorkerData,
      ),
    judge: async (job) => (await verifiers.verify(job, { urgent: true })) === null,
    setBatchDelay: (on) => verifiers.setBatchDelay(on),
    log: componentLog(log, "engine"),
    onFatal,
    storeFaults,
  });
}

/** Settings of an import beside a running engine: those of that engine, whose chain is on disk. */
export type StagedOptions = Omit<HostOptions, "root" | "storeFaults"> & {
  readonly root: string;
  /** Called when there is no room for the import, or its disk cannot be read: the next one would fare the same. */
  readonly onFatal: (error: SvcError) => void;
  readonly clock: Clock;
};

/** Makes an import whose proofs are judged by the pool of the running engine; its `start()` starts it. */
export function createStagedImport(
  options: StagedOptions,
  verifiers: Pick<VerifyPool, "verify" | "setBatchDelay">,
): StagedImport {
  const { root, clock, log } = options;
  return new StagedImport({
    root,
    createEngine: (folder, giveUp) => {
      const onFatal = (error: SvcError): void => {
        if (isOutOfRoom(error) || error.code === "store/unreadable") options.onFatal(error);
        giveUp(error);
      };
      const storeFaults = faultsOf(folder, onFatal);
      return createEngineHost({ ...options, root: folder, onFatal, storeFaults }, verifiers);
    },
    clock,
    log: componentLog(log, "import"),
  });
}

/** Settings of a verification pool. */
export type ProofPoolOptions = Pick<
  EngineOptions,
  "root" | "profile" | "proofs" | "clock" | "log" | "spawnVerifier" | "onFatal"
>;

/** Makes a verification pool; its `start()` starts it. */
export function createProofPool(options: ProofPoolOptions): VerifyPool {
  const { proofs, clock, log, onFatal } = options;
  const verifierLog = componentLog(log, "verifier");
  const upstream = (): Thread<VerifyRequest, VerifyReport> =>
    spawnVerifier({ ...options, proofs: { ...proofs, prover: "upstream" } });
  return new VerifyPool({
    spawn: options.spawnVerifier ?? (() => spawnVerifier(options)),
    last:
      proofs.prover === "upstream"
        ? null
        : new FallbackVerifier({ spawn: upstream, log: verifierLog }),
    threads: proofs.threads ?? verifyWorkers(availableParallelism()),
    batch: verifyBatch(proofs.prover),
    clock,
    log: verifierLog,
    onFatal,
  });
}

function spawnVerifier({
  root,
  profile,
  proofs,
}: ProofPoolOptions): Thread<VerifyRequest, VerifyReport> {
  const cacheFolder = root === null ? null : join(root, DERIVED_FOLDER);
  const { prover } = proofs;
  const data: VerifyWorkerData = { profile, prover, cacheFolder, setUpFolder: SET_UP_TABLES };
  return startThread(siblingModule("verify/verifyWorker", import.meta.url), data);
}
