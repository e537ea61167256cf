/**
 * The main thread's handle of the serving thread: sends requests to it, and restarts it when it fails. The number of restarts
 * is bounded. Questions wait for the next thread, and are never put to the engine while there is a store on disk.
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { StoreFaults } from "../../engine/calls/storeFaults.ts";
import { PendingCalls } from "../../engine/calls/pendingCalls.ts";
import type { Log } from "../../platform/log/log.ts";
import { siblingModule } from "../../platform/thread/siblingModule.ts";
import { SupervisedThread, type FailedReport } from "../../platform/thread/supervisedThread.ts";
import { startThread, type Thread } from "../../platform/thread/thread.ts";
import { answerChain } from "./answerChain.ts";
import {
  isPointQuestion,
  type ServedPage,
  type ServeQuestion,
  type ServeReport,
  type ServeRequest,
  type ServeWorkerData,
} from "./serveMessages.ts";
import { unexpectedPoint } from "./servedPage.ts";

/** Dependencies of the host. */
export type ServeHostParts = {
  /** Starts a serving thread, or null for a chain in memory: the engine answers then, and no pruning point is served. */
  readonly spawn: (() => Thread<ServeRequest, ServeReport>) | null;
  readonly engine: Pick<EngineHost, "ask">;
  readonly log: Log;
  /** Told what a thread ended with; it is not replaced when that ends the node. */
  readonly storeFaults?: Pick<StoreFaults, "ends">;
};

/** Returns the call that starts the serving thread of a store; null for a chain in memory. */
export function serveThread({
  root,
  profile,
}: {
  readonly root: string | null;
  readonly profile: string;
}): ServeHostParts["spawn"] {
  if (root === null) return null;
  const data: ServeWorkerData = { root, profile };
  return () => startThread(siblingModule("serveWorker", import.meta.url), data);
}

/** Answers the requests of peers in the serving thread. */
export class ServeHost {
  readonly #parts: ServeHostParts;
  readonly #calls = new PendingCalls<ServedPage>("serving", P2P_LIMITS.p2pServeQuestions);
  readonly #thread: SupervisedThread<ServeRequest, Exclude<ServeReport, FailedReport>>;
  #ready = unheard();
  #isOpen = false;
  #failures = 0;
  #stopped = false;

  constructor(parts: ServeHostParts) {
    this.#parts = parts;
    this.#thread = new SupervisedThread({
      spawn: parts.spawn,
      stop: { stop: true },
      onReport: (report) => this.#hear(report),
      onLost: (error) => this.#lost(error),
    });
  }

  /** Starts the thread; the engine must have opened the store. */
  start(): void {
    this.#thread.start();
  }

  /** Lets go of the store while `work` puts another in its place. Rejects with the error of `work`. */
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

  /** Ends the thread. Calling it again does nothing. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#giveUp(new SvcError("node/stopping", {}));
    await this.#close();
  }

  /** Answers. Errors: the core's, `queue/full`, `engine/restarted`, `node/stopping`, `run/aborted`. */
  async ask(question: ServeQuestion, signal: AbortSignal): Promise<ServedPage> {
    if (this.#stopped) throw new SvcError("node/stopping", {});
    throwIfAborted(signal);
    if (this.#parts.spawn === null) return this.#askEngine(question, signal);
    if (!this.#isOpen) await abortable(this.#ready.promise, signal);
    const call = this.#calls.open((id) => this.#thread.post({ id, question }));
    return abortable(call, signal);
  }

  async #askEngine(question: ServeQuestion, signal: AbortSignal): Promise<ServedPage> {
    if (isPointQuestion(question)) return unexpectedPoint();
    const { engine } = this.#parts;
    const source = {
      ask: engine.ask.bind(engine),
      history: async () => new Uint8Array(),
    };
    return abortable(answerChain(source, question), signal);
  }

  #hear(report: Exclude<ServeReport, FailedReport>): void {
    switch (report.kind) {
      case "opened":
        this.#isOpen = true;
        this.#ready.resolve();
        break;
      case "answer":
        this.#failures = 0;
        this.#calls.resolve(report.id, report.page);
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
    if (this.#isOpen) this.#ready = unheard();
    this.#isOpen = false;
  }

  #lost(error: SvcError): void {
    this.#forgetThread();
    this.#calls.rejectAll(new SvcError("engine/restarted", {}));
    this.#failures += 1;
    this.#parts.log.error({ err: error, failures: this.#failures }, "the serving thread failed");
    const isOver = this.#parts.storeFaults?.ends(error) === true;
    if (!isOver && this.#failures <= PLATFORM_LIMITS.workerRestarts) this.start();
    else this.#giveUp(new SvcError("engine/restarted", {}));
  }

  /** Whoever waits for a thread waits for nothing. */
  #giveUp(error: SvcError): void {
    this.#calls.rejectAll(error);
    this.#ready.reject(error);
  }
}

/** A promise whose rejection is no unhandled error when nobody waits for it. */
function unheard(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>();
  made.promise.catch(() => undefined);
  return made;
}
