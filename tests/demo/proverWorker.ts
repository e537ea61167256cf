/** The prover thread: one proof at a time, keys built on first use. */
import { parentPort } from "node:worker_threads";
import { loadProverFile } from "@svc/node-server/platform/wasmFiles.ts";
import { callCore, coreError } from "@svc/shared/core/callCore.ts";
import type {
  ProverGlue,
  RawPayment,
  RawProver,
  RawVerifier,
} from "@svc/shared/core/proverGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProverReport, ProverRequest } from "./proverMessages.ts";

let glue: ProverGlue | null = null;
let prover: RawProver | null = null;
let verifier: RawVerifier | null = null;
let payment: RawPayment | null = null;

function report(message: ProverReport): void {
  parentPort?.postMessage(message);
}

async function answer(request: ProverRequest): Promise<void> {
  const build = (glue ??= await loadProverFile());
  const { id } = request;
  switch (request.kind) {
    case "prove": {
      const keys = (prover ??= callCore(() => new build.Prover()));
      const started = performance.now();
      const progress = (stage: string, fraction: number) =>
        report({ id, kind: "progress", stage, fraction });
      const made = callCore(() => keys.prove(request.plan, progress));
      payment?.free();
      payment = made;
      const ms = Math.round(performance.now() - started);
      const [bundle, disclosure, alphas] = [made.bundle(), made.disclosure(), made.alphas()];
      report({ id, kind: "proved", bundle, disclosure, alphas, ms });
      return;
    }
    case "finalize": {
      const ready = payment;
      if (ready === null) throw new SvcError("engine/bad-call", { reason: "nothing was proved" });
      report({ id, kind: "finalized", raw: callCore(() => ready.finalize(request.signatures)) });
      return;
    }
    case "verify": {
      const keys = (verifier ??= callCore(() => new build.Verifier()));
      const started = performance.now();
      const { profile, raw, format } = request;
      const error = callCore(() => keys.verifyTransaction(profile, raw, format));
      report({ id, kind: "verified", error, ms: Math.round(performance.now() - started) });
      return;
    }
    case "warm":
      prover ??= callCore(() => new build.Prover());
      report({ id, kind: "warmed" });
  }
}

parentPort?.on("message", (request: ProverRequest) => {
  answer(request).catch((thrown: unknown) => {
    report({ id: request.id, kind: "refused", error: coreError(thrown).toJSON() });
  });
});
