/**
 * Entry point of a reader thread: answers each question from one snapshot of the last commit, so that pages are served while
 * the engine works.
 */
import { parentPort, workerData } from "node:worker_threads";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore, coreError, isFatal } from "@svc/shared/core/callCore.ts";
import type { HostStore } from "@svc/shared/core/wasmHost.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import type { KvReader } from "../../storage/kv.ts";
import { CONSENSUS_LAYOUT } from "../../storage/layout.ts";
import { openReadOnly } from "../../storage/openStore.ts";
import { takeQuestion } from "../calls/engineQuestions.ts";
import { readHostStore } from "../host/kvHostStore.ts";
import type { ReaderReport, ReaderRequest, ReaderWorkerData } from "./readerMessages.ts";
import type { PlainAnswer } from "../calls/engineQuestions.ts";

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const { root, profile }: ReaderWorkerData = workerData;
const report = (message: ReaderReport): void => port.postMessage(message);

try {
  await run();
} catch (thrown) {
  report({ kind: "failed", error: coreError(thrown).toJSON() });
  port.close();
}

async function run(): Promise<void> {
  const core = await loadCoreFile();
  const store = openReadOnly(root, CONSENSUS_LAYOUT);
  let current: KvReader = store;
  const view: HostStore = {
    get: (table, key) => readHostStore(current).get(table, key),
    range: (...range) => readHostStore(current).range(...range),
    commit: (batch) => readHostStore(current).commit(batch),
  };
  const reader = callCore(() => new core.Reader(view, profile));

  function answer(request: Extract<ReaderRequest, { id: number }>): PlainAnswer {
    const snapshot = store.snapshot();
    current = snapshot;
    try {
      return callCore(() => takeQuestion(reader, request.call.question, request.call.args));
    } finally {
      current = store;
      snapshot.close();
    }
  }

  const finish = (): void => void store.close().finally(() => port?.close());
  port?.on("message", (request: ReaderRequest) => {
    if ("stop" in request) {
      finish();
      return;
    }
    try {
      report({ kind: "answer", id: request.id, value: answer(request) });
    } catch (thrown) {
      const error = coreError(thrown);
      if (isFatal(error)) {
        report({ kind: "failed", error: error.toJSON() });
        finish();
      } else {
        report({ kind: "refused", id: request.id, error: error.toJSON() });
      }
    }
  });
  report({ kind: "opened" });
}
