/** Entry of a verifying thread: builds the verifying key (seconds), then judges one transaction at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import type { RawVerifier } from "@svc/shared/core/proverGlue.ts";
import { loadProverFile } from "../platform/wasmFiles.ts";
import type { ProofJob } from "./engineMessages.ts";
import type { VerifyReport, VerifyRequest, VerifyWorkerData } from "./verifyMessages.ts";

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const { profile }: VerifyWorkerData = workerData;
const report = (message: VerifyReport): void => port.postMessage(message);

function fail(thrown: unknown): void {
  report({ kind: "failed", error: coreError(thrown).toJSON() });
  port?.close();
}

function judge(verifier: RawVerifier, job: ProofJob): SvcError | null {
  const error = callCore(() => verifier.verifyTransaction(profile, job.raw, job.format));
  return error === "" ? null : SvcError.fromJson(JSON.parse(error));
}

try {
  const prover = await loadProverFile();
  const verifier = callCore(() => new prover.Verifier());
  port.on("message", (request: VerifyRequest) => {
    if ("stop" in request) {
      port.close();
      return;
    }
    try {
      const error = judge(verifier, request.job);
      report({ kind: "verdict", id: request.id, error: error?.toJSON() ?? null });
    } catch (thrown) {
      fail(thrown);
    }
  });
  report({ kind: "ready" });
} catch (thrown) {
  fail(thrown);
}
