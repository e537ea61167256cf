/** Prover in a worker thread of its own, so that the program stays responsive while it works. */
import { startThread, type Thread } from "@svc/node-server/platform/thread/thread.ts";
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProvedPayment, ProverPort, ProveProgress } from "@svc/shared/wallet/state/ports.ts";
import type { ProverKind } from "@svc/shared/core/planProver.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import type { ProverReport, ProverRequest } from "./proverMessages.ts";

type Waiting = {
  readonly progress: ProveProgress;
  readonly resolve: (report: ProverReport) => void;
  readonly reject: (error: SvcError) => void;
};

type Call = ProverRequest extends infer R
  ? R extends { id: number }
    ? Omit<R, "id">
    : never
  : never;

/** Which implementation proves and verifies, and how many threads share a proof (null: what suits the machine). */
export type ThreadProverOptions = {
  readonly prover: ProverKind;
  readonly proofThreads: number | null;
};

/** Proves and verifies in a worker thread, one call after the other; further threads share the proofs. */
export class ThreadProver implements ProverPort {
  readonly #thread: Thread<ProverRequest, ProverReport>;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /** How long the last proof took, in milliseconds, without the building of keys. */
  proveMs = 0;
  /** The same for the last verification. */
  verifyMs = 0;

  constructor(options: ThreadProverOptions) {
    const { prover, proofThreads } = options;
    const entry = new URL("./proverWorker.ts", import.meta.url);
    this.#thread = startThread(entry, { prover, proofThreads });
    this.#thread.onMessage((report) => this.#receive(report));
    this.#thread.onExit((reason) => {
      for (const { reject } of this.#waiting.values()) reject(reason);
      this.#waiting.clear();
    });
  }

  async prove(
    plan: ProvePlan,
    progress: ProveProgress,
    signal: AbortSignal,
  ): Promise<ProvedPayment> {
    const call = this.#call({ kind: "prove", plan: JSON.stringify(plan) }, progress);
    const report = await abortable(call, signal);
    if (report.kind !== "proved") throw unexpected(report);
    this.proveMs = report.ms;
    const finalize = async (signatures: string) => {
      const final = await this.#call({ kind: "finalize", signatures });
      if (final.kind !== "finalized") throw unexpected(final);
      return final.raw;
    };
    return { ...report, finalize };
  }

  /** Builds the keys that proving needs, so that the first proof does not wait for them. */
  async warm(): Promise<void> {
    const report = await this.#call({ kind: "warm" });
    if (report.kind !== "warmed") throw unexpected(report);
  }

  /** Checks proof and signatures as bundle form `format` (docs/formats.md 3) wants them. Throws the verifier's error. */
  async verify(profile: string, raw: Uint8Array, format: number): Promise<void> {
    const report = await this.#call({ kind: "verify", profile, raw, format });
    if (report.kind !== "verified") throw unexpected(report);
    if (report.error !== "") throw SvcError.fromJson(JSON.parse(report.error));
    this.verifyMs = report.ms;
  }

  /** Ends the thread at once: a proof that nobody waits for is worth nothing. */
  async stop(): Promise<void> {
    await this.#thread.end(0);
  }

  #call(call: Call, progress: ProveProgress = () => undefined): Promise<ProverReport> {
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { progress, resolve, reject });
      this.#thread.post({ ...call, id });
    });
  }

  #receive(report: ProverReport): void {
    const waiting = this.#waiting.get(report.id);
    if (waiting === undefined) return;
    if (report.kind === "progress") {
      waiting.progress(report.stage, report.fraction);
      return;
    }
    this.#waiting.delete(report.id);
    if (report.kind === "refused") waiting.reject(SvcError.fromJson(report.error));
    else waiting.resolve(report);
  }
}

function unexpected(report: ProverReport): SvcError {
  return new SvcError("internal/unexpected", { message: `the prover answered ${report.kind}` });
}
