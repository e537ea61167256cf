/**
 * Entry point of the serving thread: reads what peers ask for from the engine's store and encodes the messages, so that the
 * main thread only hands bytes on and the engine is never asked.
 */
import { parentPort, workerData } from "node:worker_threads";
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { openReadOnly } from "../../storage/openStore.ts";
import { CONSENSUS_LAYOUT } from "../../storage/layout.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { headerHash } from "../head/headerHash.ts";
import { PointExport } from "./pointExport.ts";
import type { ServeReport, ServeRequest, ServeWorkerData } from "./serveMessages.ts";
import { ServeSession } from "./serveSession.ts";
import { StoreSnapshots } from "./storeSnapshots.ts";

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const { root, profile }: ServeWorkerData = workerData;

/** Bytes of messages leave this thread instead of being copied. */
function report(message: ServeReport): void {
  const messages = message.kind === "answer" ? message.page.messages : [];
  const whole = messages.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
  port?.postMessage(message, whole);
}

const coloring = v.object({ ghostdagK: v.number() });

try {
  await run();
} catch (thrown) {
  report({ kind: "failed", error: coreError(thrown).toJSON() });
  port.close();
}

async function run(): Promise<void> {
  const core = await loadCoreFile();
  const store = openReadOnly(root, CONSENSUS_LAYOUT);
  const views = new StoreSnapshots(store, (host) => callCore(() => new core.Reader(host, profile)));
  const hashOf = (header: P2pBlockHeader): string => headerHash(core, header);
  const { ghostdagK } = v.parse(coloring, JSON.parse(profile));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const pointExport = new PointExport({
    core,
    open: () => views.open(),
    hashOf,
    listedBlocks: ghostdagK + 1,
    turn,
    steadyMs: () => Number(systemClock.steadyMs()),
    later: (call, ms) => {
      const timer = setTimeout(call, ms).unref();
      return () => clearTimeout(timer);
    },
  });
  const session = new ServeSession({
    views,
    history: (reader, top, limit) => callCore(() => core.historyPage(reader, top, limit)),
    pointExport,
    turn,
    report,
    ended: () => void store.close().finally(() => port?.close()),
  });
  port?.on("message", (request: ServeRequest) => session.receive(request));
  report({ kind: "opened" });
}
