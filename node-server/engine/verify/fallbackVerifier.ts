/**
 * Fallback verifier: judges what crashes the ordinary verifier with the upstream one, in a thread that is started when it is
 * first needed.
 *
 * A verdict that nobody gives would hold up the chain at that block. Building the upstream key takes seconds, so the thread is
 * kept once it runs; it judges one at a time.
 */
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { SupervisedThread, type FailedReport } from "../../platform/thread/supervisedThread.ts";
import type { Thread } from "../../platform/thread/thread.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import type { VerifyReport, VerifyRequest } from "./verifyMessages.ts";
import type { ProofVerdict } from "./verifyPool.ts";

/** Dependencies of the fallback verifier. */
export type FallbackVerifierParts = {
  /** Starts a thread with the upstream verifier. */
  readonly spawn: () => Thread<VerifyRequest, VerifyReport>;
  readonly log: Log;
};

type Task = { readonly job: ProofJob; readonly result: PromiseWithResolvers<ProofVerdict> };

/** The fallback verifier of a pool. */
export class FallbackVerifier {
  readonly #parts: FallbackVerifierParts;
  readonly #waiting: Task[] = [];
  readonly #thread: SupervisedThread<VerifyRequest, Exclude<VerifyReport, FailedReport>>;
  #isReady = false;
  #current: Task | null = null;
  #nextId = 1;
  #isStopped = false;

  constructor(parts: FallbackVerifierParts) {
    this.#parts = parts;
    this.#thread = new SupervisedThread({
      spawn: parts.spawn,
      stop: { stop: true },
      onReport: (report) => this.#hear(report),
      onLost: (error) => this.#lost(error),
    });
  }

  /**
   * Judges a transaction. Errors: `mempool/verification-queue-full`, `node/stopping`, and the thread's own failure, if this
   * one stops it as well.
   */
  verify(job: ProofJob): Promise<ProofVerdict> {
    if (this.#isStopped) return Promise.reject(new SvcError("node/stopping", {}));
    if (this.#waiting.length >= ENGINE_LIMITS.verifyLastJobs) {
      const full = new SvcError("mempool/verification-queue-full", {
        max: ENGINE_LIMITS.verifyLastJobs,
      });
      return Promise.reject(full);
    }
    this.#parts.log.warn(
      { txid: job.txid },
      "a proof stops the verifier: the upstream one judges it",
    );
    const task = { job, result: Promise.withResolvers<ProofVerdict>() };
    this.#waiting.push(task);
    if (!this.#thread.isRunning) this.#thread.start();
    this.#next();
    return task.result.promise;
  }

  /** Ends the thread and refuses what waits. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#refuse(new SvcError("node/stopping", {}));
    await this.#thread.close(this.#isReady ? PLATFORM_LIMITS.stopMs : 0);
  }

  #hear(report: Exclude<VerifyReport, FailedReport>): void {
    if (report.kind === "ready") this.#isReady = true;
    else this.#settle(report.errors[0]);
    this.#next();
  }

  #next(): void {
    if (!this.#isReady || this.#current !== null) return;
    const task = this.#waiting.shift();
    if (task === undefined) return;
    this.#current = task;
    this.#thread.post({ id: this.#nextId, jobs: [task.job] });
    this.#nextId += 1;
  }

  #settle(error: Extract<VerifyReport, { kind: "verdicts" }>["errors"][number] | undefined): void {
    const task = this.#current;
    this.#current = null;
    if (error === undefined) {
      task?.result.reject(new SvcError("internal/unexpected", { message: "a verdict is missing" }));
    } else task?.result.resolve(error === null ? null : SvcError.fromJson(error));
  }

  /** What waits is tried by the next thread; a thread that never came so far would not come further. */
  #lost(error: SvcError): void {
    if (this.#isStopped) return;
    this.#parts.log.error({ err: error }, "the upstream verifier failed");
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#current?.result.reject(error);
    this.#current = null;
    if (!wasReady) this.#refuse(error);
    else if (this.#waiting.length > 0) this.#thread.start();
  }

  #refuse(error: SvcError): void {
    this.#current?.result.reject(error);
    this.#current = null;
    for (const task of this.#waiting.splice(0)) task.result.reject(error);
  }
}
