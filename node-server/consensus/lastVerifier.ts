/**
 * Judges what stops the ordinary verifier, with the upstream one, in a thread that is started when it is first needed.
 *
 * A verdict that nobody gives would hold up the chain at that block. Building the upstream key takes seconds, so the thread is
 * kept once it runs; it judges one at a time.
 */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../platform/log.ts";
import type { Thread } from "../platform/thread.ts";
import type { ProofJob } from "./engineMessages.ts";
import type { VerifyReport, VerifyRequest } from "./verifyMessages.ts";
import type { ProofVerdict } from "./verifyPool.ts";

/** What it is made of. */
export type LastVerifierParts = {
  /** Starts a thread with the upstream verifier. */
  readonly spawn: () => Thread<VerifyRequest, VerifyReport>;
  readonly log: Log;
};

type Task = { readonly job: ProofJob; readonly result: PromiseWithResolvers<ProofVerdict> };

/** The last resort of a pool. */
export class LastVerifier {
  readonly #parts: LastVerifierParts;
  readonly #waiting: Task[] = [];
  #thread: Thread<VerifyRequest, VerifyReport> | null = null;
  #isReady = false;
  #current: Task | null = null;
  #nextId = 1;
  #isStopped = false;

  constructor(parts: LastVerifierParts) {
    this.#parts = parts;
  }

  /**
   * Judges a transaction. Errors: `mempool/verification-queue-full`, `node/stopping`, and the thread's own failure, if this
   * one stops it as well.
   */
  verify(job: ProofJob): Promise<ProofVerdict> {
    if (this.#isStopped) return Promise.reject(new SvcError("node/stopping", {}));
    if (this.#waiting.length >= LIMITS.verifyLastJobs) {
      const full = new SvcError("mempool/verification-queue-full", { max: LIMITS.verifyLastJobs });
      return Promise.reject(full);
    }
    this.#parts.log.warn(
      { txid: job.txid },
      "a proof stops the verifier: the upstream one judges it",
    );
    const task = { job, result: Promise.withResolvers<ProofVerdict>() };
    this.#waiting.push(task);
    this.#thread ??= this.#start();
    this.#next();
    return task.result.promise;
  }

  /** Ends the thread and refuses what waits. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#refuse(new SvcError("node/stopping", {}));
    const thread = this.#thread;
    this.#thread = null;
    thread?.post({ stop: true });
    await thread?.end(this.#isReady ? LIMITS.stopMs : 0);
  }

  #start(): Thread<VerifyRequest, VerifyReport> {
    const thread = this.#parts.spawn();
    let failure: SvcError | null = null;
    thread.onMessage((report) => {
      if (report.kind === "failed") failure = SvcError.fromJson(report.error);
      else if (report.kind === "ready") this.#isReady = true;
      else this.#settle(report.errors[0]);
      this.#next();
    });
    thread.onExit((error) => this.#lost(failure ?? error));
    return thread;
  }

  #next(): void {
    if (!this.#isReady || this.#current !== null) return;
    const task = this.#waiting.shift();
    if (task === undefined) return;
    this.#current = task;
    this.#thread?.post({ id: this.#nextId, jobs: [task.job] });
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
    [this.#thread, this.#isReady] = [null, false];
    this.#current?.result.reject(error);
    this.#current = null;
    if (!wasReady) this.#refuse(error);
    else if (this.#waiting.length > 0) this.#thread = this.#start();
  }

  #refuse(error: SvcError): void {
    this.#current?.result.reject(error);
    this.#current = null;
    for (const task of this.#waiting.splice(0)) task.result.reject(error);
  }
}
