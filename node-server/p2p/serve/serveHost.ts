/**
 * The main thread's handle of the serving thread: sends requests to it, and restarts it when it fails. The number of restarts
 * is bounded. Questions wait for the next thread, and are never put to the engine while there is a store on disk.
 */
import { abortable } from "@svc/shared/base/abort.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { StoreFaults } from "../../engine/calls/storeFaults.ts";
import type { Log } from "../../platform/log/log.ts";
import { siblingModule } from "../../platform/thread/siblingModule.ts";
import { startThread, type Thread } from "../../platform/thread/thread.ts";
import { ThreadRpc } from "../../platform/thread/threadRpc.ts";
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
  readonly #rpc: ThreadRpc<{ readonly question: ServeQuestion }, { readonly page: ServedPage }>;

  constructor(parts: ServeHostParts) {
    this.#parts = parts;
    this.#rpc = new ThreadRpc({
      name: "serving",
      limit: P2P_LIMITS.p2pServeQuestions,
      spawn: parts.spawn,
      onFailure: (err, failures) => {
        parts.log.error({ err, failures }, "the serving thread failed");
        return parts.storeFaults?.ends(err) !== true;
      },
    });
  }

  /** Starts the thread; the engine must have opened the store. */
  start(): void {
    this.#rpc.start();
  }

  /** Lets go of the store while `work` puts another in its place. Rejects with the error of `work`. */
  whileClosed(work: () => Promise<void>): Promise<void> {
    return this.#rpc.whileClosed(work);
  }

  /** Ends the thread. Calling it again does nothing. */
  stop(): Promise<void> {
    return this.#rpc.stop();
  }

  /** Answers. Errors: the core's, `queue/full`, `engine/restarted`, `node/stopping`, `run/aborted`. */
  async ask(question: ServeQuestion, signal: AbortSignal): Promise<ServedPage> {
    this.#rpc.throwIfOver(signal);
    if (this.#parts.spawn === null) return this.#askEngine(question, signal);
    const { page } = await this.#rpc.call({ question }, signal);
    return page;
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
}
