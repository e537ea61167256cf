/** Entry point of a scan thread: finds the notes of sets of viewing keys in pages of records. */
import { parentPort, workerData } from "node:worker_threads";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore, coreError, isFatal } from "@svc/shared/core/callCore.ts";
import type { RawIncomingScanner, RawScanner } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCoreFile } from "../platform/files/wasmFiles.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";
import type { ScanCall, ScanReport, ScanRequest, ScanWorkerData } from "./scanMessages.ts";

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const { profileJson }: ScanWorkerData = workerData;
const report = (message: ScanReport): void => port.postMessage(message);

try {
  await run();
} catch (thrown) {
  report({ kind: "failed", error: coreError(thrown).toJSON() });
  port.close();
}

async function run(): Promise<void> {
  const core = await loadCoreFile();
  /** Prepared keys, those used last at the end. */
  const scanners = new Map<string, RawScanner | RawIncomingScanner>();

  function prepared({ kind, keys }: ScanCall): RawScanner | RawIncomingScanner {
    return kind === "full"
      ? callCore(() => new core.Scanner(profileJson, keys))
      : callCore(() => new core.IncomingScanner(keys));
  }

  function scannerOf(call: ScanCall): RawScanner | RawIncomingScanner {
    const name = `${call.kind} ${call.set}`;
    const scanner = scanners.get(name) ?? prepared(call);
    // They came as a copy with the call; the scanner has its own.
    call.keys.fill(0);
    scanners.delete(name);
    scanners.set(name, scanner);
    for (const [oldest, unused] of scanners) {
      if (scanners.size <= SCANNING_LIMITS.keySets) break;
      scanners.delete(oldest);
      unused.free();
    }
    return scanner;
  }

  function answer(call: ScanCall): string {
    return callCore(() => scannerOf(call).scanRecords(call.body, call.count));
  }

  port?.on("message", (request: ScanRequest) => {
    if ("stop" in request) {
      port?.close();
      return;
    }
    try {
      report({ kind: "answer", id: request.id, json: answer(request.call) });
    } catch (thrown) {
      const error = coreError(thrown);
      if (isFatal(error)) {
        report({ kind: "failed", error: error.toJSON() });
        port?.close();
      } else {
        report({ kind: "refused", id: request.id, error: error.toJSON() });
      }
    }
  });
  report({ kind: "opened" });
}
