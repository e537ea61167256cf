/** Entry point of a scan thread: finds the notes of sets of viewing keys in pages of records. */
import { parentPort, workerData } from "node:worker_threads";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore, coreError, isFatal } from "@svc/shared/core/callCore.ts";
import type { RawScanner } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
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
  const scanners = new Map<number, RawScanner>();

  function scannerOf({ set, keys }: ScanCall): RawScanner {
    const known = scanners.get(set);
    const scanner = known ?? callCore(() => new core.Scanner(profileJson, keys));
    // They came as a copy with the call; the scanner has its own.
    keys.fill(0);
    scanners.delete(set);
    scanners.set(set, scanner);
    for (const [oldest, unused] of scanners) {
      if (scanners.size <= WALLETD_LIMITS.scanKeySets) break;
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
