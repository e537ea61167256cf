/** Starts the engine's thread and the verification pool with their real entry files. */
import { availableParallelism } from "node:os";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../platform/clock.ts";
import { componentLog, type Log } from "../platform/log.ts";
import { startThread } from "../platform/thread.ts";
import { EngineHost } from "./engineHost.ts";
import type { EngineReport, EngineRequest } from "./engineMessages.ts";
import type { EngineWorkerData } from "./engineWorker.ts";
import type { VerifyReport, VerifyRequest, VerifyWorkerData } from "./verifyMessages.ts";
import { VerifyPool, verifyWorkers } from "./verifyPool.ts";

/** What both are started with. */
export type EngineOptions = {
  /** Folder that holds `consensus/`, or null for a chain in memory. */
  readonly root: string | null;
  /** Canonical profile. */
  readonly profile: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the engine cannot be kept running. */
  readonly onFatal: (error: SvcError) => void;
};

/** The engine and the pool that judges proofs for it. */
export type EngineParts = { readonly engine: EngineHost; readonly verifiers: VerifyPool };

/** Makes both; `engine.start()` and `verifiers.start()` start them. */
export function createEngine(options: EngineOptions): EngineParts {
  const { root, profile, clock, log, onFatal } = options;
  const verifiers = new VerifyPool({
    spawn: () =>
      startThread<VerifyRequest, VerifyReport>(new URL("verifyWorker.ts", import.meta.url), {
        profile,
      } satisfies VerifyWorkerData),
    threads: verifyWorkers(availableParallelism()),
    clock,
    log: componentLog(log, "verifier"),
  });
  const engine = new EngineHost({
    spawn: () =>
      startThread<EngineRequest, EngineReport>(new URL("engineWorker.ts", import.meta.url), {
        root,
        profile,
      } satisfies EngineWorkerData),
    judge: async (job) => (await verifiers.verify(job)) === null,
    log: componentLog(log, "engine"),
    onFatal,
  });
  return { engine, verifiers };
}
