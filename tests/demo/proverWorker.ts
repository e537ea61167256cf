/** Entry of the prover thread: one proof at a time, tables and keys made on first use. */
import { parentPort, workerData } from "node:worker_threads";
import { loadProverFile, readCircuitAssets } from "@svc/node-server/platform/files/wasmFiles.ts";
import { startProver } from "@svc/node-server/proving/startProver.ts";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import type { PlanProver } from "@svc/shared/core/planProver.ts";
import type { RawPayment } from "@svc/shared/core/generated/proverGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProverReport, ProverRequest } from "./proverMessages.ts";
import type { ThreadProverOptions } from "./threadProver.ts";

type VerifyCall = Extract<ProverRequest, { kind: "verify" }>;

const options: ThreadProverOptions = workerData;
/** The owner ends this thread to cancel. */
const never = new AbortController().signal;

let prover: Promise<PlanProver> | null = null;
let judge: Promise<(call: VerifyCall) => string> | null = null;
let payment: RawPayment | null = null;

function report(message: ProverReport): void {
  parentPort?.postMessage(message);
}

async function ready(): Promise<PlanProver> {
  const { prover: kind, proofThreads: threads } = options;
  prover ??= startProver({ prover: kind, threads, cacheFolder: null });
  const made = await prover;
  await made.warm(never);
  return made;
}

async function makeJudge(): Promise<(call: VerifyCall) => string> {
  const build = await loadProverFile();
  if (options.prover === "upstream") {
    const keys = callCore(() => new build.Verifier());
    return ({ profile, raw, format }) => keys.verifyTransaction(profile, raw, format);
  }
  const verifier = callCore(() => new build.ProvingKeys(readCircuitAssets()).verifier());
  return ({ profile, raw, format }) => {
    const answer = verifier.verifyTransactions(profile, [raw], Uint8Array.of(format));
    const texts: readonly string[] = JSON.parse(answer);
    return texts[0] ?? "";
  };
}

async function answer(request: ProverRequest): Promise<void> {
  const { id } = request;
  switch (request.kind) {
    case "prove": {
      const keys = await ready();
      const started = performance.now();
      const progress = (stage: string, fraction: number) =>
        report({ id, kind: "progress", stage, fraction });
      const made = await keys.prove(request.plan, progress, never);
      payment?.free();
      payment = made;
      const ms = Math.round(performance.now() - started);
      const [bundle, disclosure, alphas] = [made.bundle(), made.disclosure(), made.alphas()];
      report({ id, kind: "proved", bundle, disclosure, alphas, ms });
      return;
    }
    case "finalize": {
      const proved = payment;
      if (proved === null) throw new SvcError("engine/bad-call", { reason: "nothing was proved" });
      report({ id, kind: "finalized", raw: callCore(() => proved.finalize(request.signatures)) });
      return;
    }
    case "verify": {
      const check = await (judge ??= makeJudge());
      const started = performance.now();
      const error = callCore(() => check(request));
      report({ id, kind: "verified", error, ms: Math.round(performance.now() - started) });
      return;
    }
    case "warm":
      await ready();
      report({ id, kind: "warmed" });
  }
}

parentPort?.on("message", (request: ProverRequest) => {
  answer(request).catch((thrown: unknown) => {
    report({ id: request.id, kind: "refused", error: coreError(thrown).toJSON() });
  });
});
