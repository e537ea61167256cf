/**
 * Entry point of the engine's thread: opens the store, builds the engine over it, runs one session.
 *
 * The thread ends after `stop` and after any failure of store or core; the host then starts a new one.
 */
import { parentPort, workerData } from "node:worker_threads";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { coreError } from "@svc/shared/core/callCore.ts";
import { Outbox } from "../../platform/thread/outbox.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { CONSENSUS_LAYOUT } from "../../storage/layout.ts";
import { openStore } from "../../storage/openStore.ts";
import type { EngineReport, EngineRequest } from "../calls/engineMessages.ts";
import { EngineSession } from "./engineSession.ts";
import { kvHostStore } from "./kvHostStore.ts";

/** The start parameters of the thread. `root: null` keeps everything in memory. */
export type EngineWorkerData = {
  readonly root: string | null;
  readonly profile: string;
  /** Keeps every body: nothing is pruned. */
  readonly archival: boolean;
};

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const data: EngineWorkerData = workerData;
// Who hears an answer goes on before it hears of what happened after it: a transaction that was found to apply is in the
// pool before a block that applies it is heard of.
const outbox = new Outbox<EngineReport>(
  (reports) => port.postMessage(reports),
  ({ kind }) => kind === "events",
);
const report = (message: EngineReport): void => outbox.post(message);

try {
  await run();
} catch (thrown) {
  report({ kind: "failed", error: coreError(thrown).toJSON() });
  outbox.flush();
  port.close();
}

async function run(): Promise<void> {
  if (port === null) return;
  const core = await loadCoreFile();
  const { store, migration } = await openStore(data.root, CONSENSUS_LAYOUT);
  let engine;
  try {
    engine = new core.Engine(kvHostStore(store), data.profile);
  } catch (thrown) {
    await store.close();
    throw coreError(thrown);
  }
  const session = new EngineSession({
    engine,
    prune: data.archival ? null : (budget) => engine.prune(budget),
    report,
    flush: () => outbox.flush(),
    defer: (turn) => setImmediate(turn),
    later: (call, ms) => setTimeout(call, ms).unref(),
    ended: () => void store.close().finally(() => port.close()),
  });
  port.on("message", (requests: readonly EngineRequest[]) => {
    for (const request of requests) session.receive(request);
  });
  report({ kind: "opened", migrated: migration.steps });
}
