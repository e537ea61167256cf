/** Entry point of a verifier thread: makes its verifier, then judges the batches it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import { DerivedFiles } from "../../platform/files/derivedFiles.ts";
import { loadProverFile, readCircuitAssets } from "../../platform/files/wasmFiles.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import type { VerifyReport, VerifyRequest, VerifyWorkerData } from "./verifyMessages.ts";

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const { profile, prover, cacheFolder, setUpFolder }: VerifyWorkerData = workerData;
const report = (message: VerifyReport): void => port.postMessage(message);

/** One text per job: "" or an error as JSON. */
type Judge = (jobs: readonly ProofJob[]) => readonly string[];

function fail(thrown: unknown): void {
  report({ kind: "failed", error: coreError(thrown).toJSON() });
  port?.close();
}

/** The upstream verifier; building its key takes seconds. */
async function upstreamJudge(): Promise<Judge> {
  const build = await loadProverFile();
  const verifier = callCore(() => new build.Verifier());
  return (jobs) =>
    jobs.map(({ raw, format }) => callCore(() => verifier.verifyTransaction(profile, raw, format)));
}

/** Our own verifier. Its tables are those of set-up, or stored where there is a folder, for the next start. */
async function ownJudge(): Promise<Judge> {
  const build = await loadProverFile();
  const files = new DerivedFiles(
    cacheFolder,
    "verifier",
    callCore(() => build.cacheTag()),
    setUpFolder,
  );
  const tables = files.read() ?? undefined;
  const verifier = callCore(() => {
    const keys = new build.ProvingKeys(readCircuitAssets());
    const made = keys.verifier(tables);
    keys.free();
    return made;
  });
  if (!verifier.usedCache()) files.write(callCore(() => verifier.cache()));
  return (jobs) => {
    const raws = jobs.map(({ raw }) => raw);
    const formats = Uint8Array.from(jobs, ({ format }) => format);
    const answer = callCore(() => verifier.verifyTransactions(profile, raws, formats));
    const texts: readonly string[] = JSON.parse(answer);
    return texts;
  };
}

function verdict(text: string): ErrorJson | null {
  return text === "" ? null : SvcError.fromJson(JSON.parse(text)).toJSON();
}

try {
  const judge = await (prover === "own" ? ownJudge() : upstreamJudge());
  port.on("message", (request: VerifyRequest) => {
    if ("stop" in request) {
      port.close();
      return;
    }
    try {
      report({ kind: "verdicts", id: request.id, errors: judge(request.jobs).map(verdict) });
    } catch (thrown) {
      fail(thrown);
    }
  });
  report({ kind: "ready" });
} catch (thrown) {
  fail(thrown);
}
