/**
 * RPC client of a supervised worker thread: multiplexes numbered requests over its messages, and starts another thread a
 * bounded number of times when one fails.
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { PendingCalls } from "./pendingCalls.ts";
import { SupervisedThread, type FailedReport } from "./supervisedThread.ts";
import type { Thread } from "./thread.ts";

/** Messages to a thread that answers calls: a numbered call with its fields, or the request to end in good order. */
export type RpcRequest<Call extends object> =
  | ({ readonly id: number } & Call)
  | { readonly stop: true };

/** An answer by the number of its call, with its fields. */
export type RpcAnswer<Answer extends object> = {
  readonly kind: "answer";
  readonly id: number;
} & Answer;

type RunningReport<Answer extends object> =
  | { readonly kind: "opened" }
  | RpcAnswer<Answer>
  | { readonly kind: "refused"; readonly id: number; readonly error: ErrorJson };

/** Messages of a thread that answers calls: that it can, an answer, a refusal, or what the thread failed with. */
export type RpcReport<Answer extends object> = RunningReport<Answer> | FailedReport;

/** Dependencies of the client. */
export type ThreadRpcParts<Call extends object, Answer extends object> = {
  /** Names its calls in `queue/full`. */
  readonly name: string;
  /** Calls that wait for their answers at most, from the limits file. */
  readonly limit: number;
  /** Starts a thread; null where there is none to start. */
  readonly spawn: (() => Thread<RpcRequest<Call>, RpcReport<Answer>>) | null;
  /**
   * Told what a thread ended with, and of how many failures in a row it is the last. Returns whether another one may take
   * its place.
   */
  readonly onFailure: (error: SvcError, failures: number) => boolean;
};

/** The calls to at most one thread at a time. */
export class ThreadRpc<Call extends object, Answer extends object> {
  readonly #parts: ThreadRpcParts<Call, Answer>;
  readonly #calls: PendingCalls<RpcAnswer<Answer>>;
  readonly #thread: SupervisedThread<RpcRequest<Call>, RunningReport<Answer>>;
  #opening = unheard();
  #isOpen = false;
  #failures = 0;
  #isStopped = false;

  constructor(parts: ThreadRpcParts<Call, Answer>) {
    this.#parts = parts;
    this.#calls = new PendingCalls(parts.name, parts.limit);
    this.#thread = new SupervisedThread({
      spawn: parts.spawn,
      stop: { stop: true },
      onReport: (report) => this.#hear(report),
      onLost: (error) => this.#lost(error),
    });
  }

  /** Whether a thread runs that has said that it can answer. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the thread can answer; rejects like the calls that wait for that. */
  get opened(): Promise<void> {
    return this.#opening.promise;
  }

  /** Starts the thread. */
  start(): void {
    this.#thread.start();
  }

  /** Throws what keeps every call from being made: `node/stopping`, `run/aborted`. */
  throwIfOver(signal?: AbortSignal): void {
    if (this.#isStopped) throw new SvcError("node/stopping", {});
    if (signal !== undefined) throwIfAborted(signal);
  }

  /**
   * Makes a call, as soon as a thread can answer. Errors: the thread's, `queue/full`, `engine/restarted` when the thread was
   * lost or is not started again, `node/stopping`, `run/aborted`.
   */
  async call(call: Call, signal?: AbortSignal): Promise<Answer> {
    this.throwIfOver(signal);
    if (!this.#isOpen) await orAborted(this.#opening.promise, signal);
    return orAborted(
      this.#calls.open((id) => this.#thread.post({ id, ...call })),
      signal,
    );
  }

  /**
   * Ends the thread while `work` runs, and starts one again behind it. Calls that wait for an answer reject with
   * `engine/restarted`. Rejects with the error of `work`.
   */
  async whileClosed(work: () => Promise<void>): Promise<void> {
    const wasStarted = this.#thread.isRunning;
    await this.#close();
    this.#calls.rejectAll(new SvcError("engine/restarted", {}));
    try {
      await work();
    } finally {
      if (wasStarted && !this.#isStopped) this.start();
    }
  }

  /** Ends the thread, and rejects whatever waits with `node/stopping`. Calling it again does nothing. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#giveUp(new SvcError("node/stopping", {}));
    await this.#close();
  }

  #hear(report: RunningReport<Answer>): void {
    switch (report.kind) {
      case "opened":
        this.#isOpen = true;
        this.#opening.resolve();
        break;
      case "answer":
        this.#failures = 0;
        this.#calls.resolve(report.id, report);
        break;
      case "refused":
        this.#calls.reject(report.id, SvcError.fromJson(report.error));
        break;
    }
  }

  async #close(): Promise<void> {
    this.#forgetThread();
    await this.#thread.close(PLATFORM_LIMITS.stopMs);
  }

  #forgetThread(): void {
    if (this.#isOpen) this.#opening = unheard();
    this.#isOpen = false;
  }

  #lost(error: SvcError): void {
    this.#forgetThread();
    const restarted = new SvcError("engine/restarted", {});
    this.#calls.rejectAll(restarted);
    this.#failures += 1;
    const mayGoOn = this.#parts.onFailure(error, this.#failures);
    if (mayGoOn && this.#failures <= PLATFORM_LIMITS.workerRestarts) this.start();
    else this.#giveUp(restarted);
  }

  /** Whoever waits for a thread waits for nothing. */
  #giveUp(error: SvcError): void {
    this.#calls.rejectAll(error);
    this.#opening.reject(error);
  }
}

function orAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  return signal === undefined ? promise : abortable(promise, signal);
}

/** A promise whose rejection is no unhandled error when nobody waits for it. */
function unheard(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>();
  made.promise.catch(() => undefined);
  return made;
}
