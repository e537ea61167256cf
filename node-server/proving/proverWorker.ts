/** Entry of a prover thread: one proof at a time, tables and keys made on first use. */
import { parentPort, workerData } from "node:worker_threads";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import type { RawPayment } from "@svc/shared/core/generated/proverGlue.ts";
import type { PlanProver } from "@svc/shared/core/planProver.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { systemClock } from "../platform/time/clock.ts";
import { loadProverFile, readCircuitAssets } from "../platform/files/wasmFiles.ts";
import type { ProverReport, ProverRequest, ProverWorkerData } from "./proverMessages.ts";
import { startProver } from "./startProver.ts";

type Numbered = Extract<ProverRequest, { id: number }>;
type VerifyCall = Extract<Numbered, { kind: "verify" }>;

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });
const { prover: kind, proofThreads: threads, cacheFolder }: ProverWorkerData = workerData;
const never = new AbortController().signal;

let prover: Promise<PlanProver> | null = null;
let judge: Promise<(call: VerifyCall) => string> | null = null;
/** Proofs that wait for their signatures, by the number of the call that made them. */
const proved = new Map<number, RawPayment>();
/** Ends the proofs that are asked for and not made. */
const asked = new Map<number, AbortController>();
/** The prover makes one proof at a time. */
let last: Promise<unknown> = Promise.resolve();

function report(message: ProverReport): void {
  port?.postMessage(message);
}

async function ready(): Promise<PlanProver> {
  prover ??= startProver({ prover: kind, threads, cacheFolder });
  const made = await prover;
  await made.warm(never);
  return made;
}

async function makeJudge(): Promise<(call: VerifyCall) => string> {
  const build = await loadProverFile();
  if (kind === "upstream") {
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

async function prove(id: number, plan: string, signal: AbortSignal): Promise<void> {
  const keys = await ready();
  const started = systemClock.steadyMs();
  const progress = (stage: string, fraction: number) =>
    report({ id, kind: "progress", stage, fraction });
  const made = await keys.prove(plan, progress, signal);
  const ms = Number(systemClock.steadyMs() - started);
  if (signal.aborted) {
    made.free();
    throw new SvcError("run/aborted", {});
  }
  proved.set(id, made);
  const [bundle, disclosure, alphas] = [made.bundle(), made.disclosure(), made.alphas()];
  report({ id, kind: "proved", bundle, disclosure, alphas, ms });
}

function finalize(id: number, proof: number, signatures: string): void {
  const made = proved.get(proof);
  if (made === undefined) {
    throw new SvcError("engine/bad-call", { reason: "nothing was proved under this number" });
  }
  const raw = callCore(() => made.finalize(signatures));
  proved.delete(proof);
  made.free();
  report({ id, kind: "finalized", raw });
}

/** Nobody waits for the proof any more. */
function drop(proof: number): void {
  asked.get(proof)?.abort();
  proved.get(proof)?.free();
  proved.delete(proof);
}

async function answer(request: Numbered): Promise<void> {
  const { id } = request;
  switch (request.kind) {
    case "prove": {
      const cancel = new AbortController();
      asked.set(id, cancel);
      const turn = last.then(() => prove(id, request.plan, cancel.signal));
      last = turn.catch(() => undefined);
      await turn.finally(() => asked.delete(id));
      return;
    }
    case "finalize":
      finalize(id, request.proof, request.signatures);
      return;
    case "verify": {
      const check = await (judge ??= makeJudge());
      const started = systemClock.steadyMs();
      const error = callCore(() => check(request));
      report({ id, kind: "verified", error, ms: Number(systemClock.steadyMs() - started) });
      return;
    }
    case "warm":
      await ready();
      report({ id, kind: "warmed" });
  }
}

async function stop(): Promise<void> {
  for (const cancel of asked.values()) cancel.abort();
  const running = await prover?.catch(() => null);
  running?.stop();
  port?.close();
}

port.on("message", (request: ProverRequest) => {
  if (request.kind === "drop") drop(request.proof);
  else if (request.kind === "stop") void stop();
  else {
    answer(request).catch((thrown: unknown) => {
      report({ id: request.id, kind: "refused", error: coreError(thrown).toJSON() });
    });
  }
});
