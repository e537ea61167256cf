/**
 * The main thread's handle of the reader thread, which answers questions beside the engine from a snapshot of the last commit.
 *
 * A thread that fails is replaced a bounded number of times; while there is none the engine is asked.
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { SupervisedThread, type FailedReport } from "../../platform/thread/supervisedThread.ts";
import type { Thread } from "../../platform/thread/thread.ts";
import type { EngineHost } from "../host/engineHost.ts";
import { PendingCalls } from "../calls/pendingCalls.ts";
import type { StoreFaults } from "../calls/storeFaults.ts";
import type { ReaderReport, ReaderRequest } from "./readerMessages.ts";
import {
  isAnswerTo,
  type PlainAnswer,
  type Question,
  type QuestionAnswer,
  type QuestionArgs,
} from "../calls/engineQuestions.ts";

/** Dependencies of the host. */
export type ReaderHostParts = {
  /** Starts a reading thread, or null for a chain in memory that only the engine can read. */
  readonly spawn: (() => Thread<ReaderRequest, ReaderReport>) | null;
  readonly engine: Pick<EngineHost, "ask">;
  readonly log: Log;
  /** Told what a thread ended with; it is not replaced when that ends the node. */
  readonly storeFaults?: Pick<StoreFaults, "ends">;
};

/** Asks the reader thread, or the engine while there is none. */
export class ReaderHost {
  readonly #parts: ReaderHostParts;
  readonly #calls = new PendingCalls<PlainAnswer>("reader", ENGINE_LIMITS.engineQuestions);
  readonly #thread: SupervisedThread<ReaderRequest, Exclude<ReaderReport, FailedReport>>;
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  #opened = false;
  #failures = 0;
  #stopped = false;

  constructor(parts: ReaderHostParts) {
    this.#parts = parts;
    this.#thread = new SupervisedThread({
      spawn: parts.spawn,
      stop: { stop: true },
      onReport: (report) => this.#hear(report),
      onLost: (error) => this.#lost(error),
    });
  }

  /** Starts the thread; the engine must have opened the store. Until it is ready the engine answers. */
  start(): void {
    this.#thread.start();
  }

  /**
   * Lets go of the store while `work` puts another in its place, and reads what is there then. Questions go to the engine
   * meanwhile; those that waited reject with `engine/restarted`. Rejects with the error of `work`.
   */
  async whileClosed(work: () => Promise<void>): Promise<void> {
    const wasStarted = this.#thread.isRunning;
    await this.#close();
    this.#calls.rejectAll(new SvcError("engine/restarted", {}));
    try {
      await work();
    } finally {
      if (wasStarted && !this.#stopped) this.start();
    }
  }

  /** Resolves when a reading thread has answered for the first time that it can. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Ends the thread. Calling it again does nothing. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#calls.rejectAll(new SvcError("node/stopping", {}));
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#opened = false;
    await this.#thread.close(PLATFORM_LIMITS.stopMs);
  }

  /** Asks a question. Errors: the core's, `queue/full`, `engine/restarted`, `node/stopping`, `run/aborted`. */
  async ask<Q extends Question>(
    question: Q,
    args: QuestionArgs<Q>,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer<Q>> {
    if (this.#stopped) throw new SvcError("node/stopping", {});
    if (signal !== undefined) throwIfAborted(signal);
    if (!this.#opened) return this.#parts.engine.ask(question, args, signal);
    const pending = this.#calls.open((id) =>
      this.#thread.post({ id, call: { kind: "ask", question, args } }),
    );
    const answer = await (signal === undefined ? pending : abortable(pending, signal));
    if (isAnswerTo(question, answer)) return answer;
    throw new SvcError("internal/unexpected", {
      message: `${question} was answered in another form`,
    });
  }

  #hear(report: Exclude<ReaderReport, FailedReport>): void {
    switch (report.kind) {
      case "opened":
        this.#opened = true;
        this.#ready.resolve();
        break;
      case "answer":
        this.#failures = 0;
        this.#calls.resolve(report.id, report.value);
        break;
      case "refused":
        this.#calls.reject(report.id, SvcError.fromJson(report.error));
        break;
    }
  }

  #lost(error: SvcError): void {
    this.#opened = false;
    this.#calls.rejectAll(new SvcError("engine/restarted", {}));
    if (this.#stopped) return;
    this.#failures += 1;
    this.#parts.log.error({ err: error, failures: this.#failures }, "a reading thread failed");
    if (this.#parts.storeFaults?.ends(error) === true) return;
    if (this.#failures <= PLATFORM_LIMITS.workerRestarts) this.start();
  }
}
