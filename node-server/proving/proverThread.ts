/** Prover in a worker thread of its own, so that the program stays responsive while it works. */
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ProvedPayment, ProverPort, ProveProgress } from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import { siblingModule } from "../platform/thread/siblingModule.ts";
import { startThread, type Thread } from "../platform/thread/thread.ts";
import type {
  ProverCall,
  ProverReport,
  ProverRequest,
  ProverWorkerData,
} from "./proverMessages.ts";

type Waiting = {
  readonly progress: ProveProgress;
  readonly resolve: (report: ProverReport) => void;
  readonly reject: (error: SvcError) => void;
};

/** A proved payment whose proof the thread holds until it is finalized, or dropped because nobody will sign it. */
export interface HeldPayment extends ProvedPayment {
  /** Gives the proof's memory back. Harmless when repeated, and after `finalize`. */
  drop(): void;
}

/**
 * Proves and verifies in a worker thread, one proof after the other; further threads share a proof. A thread that ends is
 * replaced with the next call.
 */
export class ProverThread implements ProverPort {
  readonly #data: ProverWorkerData;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Thread<ProverRequest, ProverReport> | null = null;
  #isStopped = false;
  #nextId = 1;
  /** How long the last proof took, in milliseconds, without the building of keys. */
  proveMs = 0;
  /** The same for the last verification. */
  verifyMs = 0;

  constructor(data: ProverWorkerData) {
    this.#data = data;
  }

  /** Proves a plan. A fired signal ends the proof after the step at hand. Rejects with `prove/*`, `run/aborted`, `node/stopping`. */
  async prove(plan: ProvePlan, progress: ProveProgress, signal: AbortSignal): Promise<HeldPayment> {
    const text = JSON.stringify(plan);
    const { id: proof, report: asked } = this.#call({ kind: "prove", plan: text }, progress);
    const drop = () => this.#thread?.post({ kind: "drop", proof });
    const report = await abortable(asked, signal).catch((error: unknown) => {
      drop();
      throw error;
    });
    if (report.kind !== "proved") throw unexpected(report);
    this.proveMs = report.ms;
    const finalize = async (signatures: string) => {
      const final = await this.#call({ kind: "finalize", proof, signatures }).report;
      if (final.kind !== "finalized") throw unexpected(final);
      return final.raw;
    };
    const { bundle, disclosure, alphas } = report;
    return { bundle, disclosure, alphas, finalize, drop };
  }

  /** Builds the keys that proving needs, so that the first proof does not wait for them. */
  async warm(): Promise<void> {
    const report = await this.#call({ kind: "warm" }).report;
    if (report.kind !== "warmed") throw unexpected(report);
  }

  /** Checks proof and signatures as bundle form `format` (docs/formats.md 3) wants them. Throws the verifier's error. */
  async verify(profile: string, raw: Uint8Array, format: number): Promise<void> {
    const report = await this.#call({ kind: "verify", profile, raw, format }).report;
    if (report.kind !== "verified") throw unexpected(report);
    if (report.error !== "") throw SvcError.fromJson(JSON.parse(report.error));
    this.verifyMs = report.ms;
  }

  /** Ends the thread at once: a proof that nobody waits for is worth nothing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#thread?.end(0);
  }

  #call(
    call: ProverCall,
    progress: ProveProgress = () => undefined,
  ): { readonly id: number; readonly report: Promise<ProverReport> } {
    const id = this.#nextId;
    this.#nextId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<ProverReport>();
    if (this.#isStopped) reject(new SvcError("node/stopping", {}));
    else {
      const thread = (this.#thread ??= this.#start());
      this.#waiting.set(id, { progress, resolve, reject });
      thread.post({ ...call, id });
    }
    return { id, report: promise };
  }

  #start(): Thread<ProverRequest, ProverReport> {
    const entry = siblingModule("proverWorker", import.meta.url);
    const thread = startThread<ProverRequest, ProverReport>(entry, this.#data);
    thread.onMessage((report) => this.#receive(report));
    thread.onExit((reason) => {
      if (this.#thread === thread) this.#thread = null;
      const error = this.#isStopped ? new SvcError("node/stopping", {}) : reason;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return thread;
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
