/**
 * The serving thread at arm's length. A thread that fails is replaced a bounded number of times; questions wait for the next
 * one, and are never put to the engine while there is a store on disk.
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EngineHost } from "../../consensus/engineHost.ts";
import type { StoreFaults } from "../../consensus/storeFaults.ts";
import { PendingCalls } from "../../consensus/pendingCalls.ts";
import type { Log } from "../../platform/log.ts";
import { siblingModule } from "../../platform/siblingModule.ts";
import { startThread, type Thread } from "../../platform/thread.ts";
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

/** What the host works with. */
export type ServeHostParts = {
  /** Starts a serving thread, or null for a chain in memory: the engine answers then, and no pruning point is served. */
  readonly spawn: (() => Thread<ServeRequest, ServeReport>) | null;
  readonly engine: Pick<EngineHost, "ask">;
  readonly log: Log;
  /** Told what a thread ended with; it is not replaced when that ends the node. */
  readonly storeFaults?: Pick<StoreFaults, "ends">;
};

/** How the serving thread of a store is started; null for a chain in memory. */
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

/** Answers the questions of peers. */
export class ServeHost {
  readonly #parts: ServeHostParts;
  readonly #calls = new PendingCalls<ServedPage>("serving", LIMITS.p2pServeQuestions);
  #thread: Thread<ServeRequest, ServeReport> | null = null;
  #ready = unheard();
  #isOpen = false;
  #failures = 0;
  #stopped = false;

  constructor(parts: ServeHostParts) {
    this.#parts = parts;
  }

  /** Starts the thread; the engine must have opened the store. */
  start(): void {
    const { spawn } = this.#parts;
    if (spawn === null) return;
    const thread = spawn();
    this.#thread = thread;
    let failure: SvcError | null = null;
    thread.onMessage((report) => {
      if (this.#thread !== thread) return;
      if (report.kind === "failed") failure = SvcError.fromJson(report.error);
      else this.#hear(report);
    });
    thread.onExit((error) => {
      if (this.#thread === thread) this.#lost(failure ?? error);
    });
  }

  /** Lets go of the store while `work` puts another in its place. Rejects with the error of `work`. */
  async whileClosed(work: () => Promise<void>): Promise<void> {
    const wasStarted = this.#thread !== null;
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
    if (this.#thread === null || !this.#isOpen) await abortable(this.#ready.promise, signal);
    const call = this.#calls.open((id) => this.#thread?.post({ id, question }));
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

  #hear(report: Exclude<ServeReport, { kind: "failed" }>): void {
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
    const thread = this.#thread;
    this.#forgetThread();
    thread?.post({ stop: true });
    await thread?.end(LIMITS.stopMs);
  }

  #forgetThread(): void {
    this.#thread = null;
    if (this.#isOpen) this.#ready = unheard();
    this.#isOpen = false;
  }

  #lost(error: SvcError): void {
    this.#forgetThread();
    this.#calls.rejectAll(new SvcError("engine/restarted", {}));
    this.#failures += 1;
    this.#parts.log.error({ err: error, failures: this.#failures }, "the serving thread failed");
    const isOver = this.#parts.storeFaults?.ends(error) === true;
    if (!isOver && this.#failures <= LIMITS.workerRestarts) this.start();
    else this.#giveUp(new SvcError("engine/restarted", {}));
  }

  /** Whoever waits for a thread waits for nothing. */
  #giveUp(error: SvcError): void {
    this.#calls.rejectAll(error);
    this.#ready.reject(error);
  }
}

/** What nobody may be waiting for when it is rejected. */
function unheard(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>();
  made.promise.catch(() => undefined);
  return made;
}
