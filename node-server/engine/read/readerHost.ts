/**
 * The main thread's handle of the reader thread, which answers questions beside the engine from a snapshot of the last commit.
 *
 * A thread that fails is replaced a bounded number of times; while there is none the engine is asked.
 */
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { ThreadRpc } from "../../platform/thread/threadRpc.ts";
import type { Thread } from "../../platform/thread/thread.ts";
import type { EngineHost } from "../host/engineHost.ts";
import type { AskCall } from "../calls/engineMessages.ts";
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
  readonly #rpc: ThreadRpc<{ readonly call: AskCall }, { readonly value: PlainAnswer }>;

  constructor(parts: ReaderHostParts) {
    this.#parts = parts;
    this.#rpc = new ThreadRpc({
      name: "reader",
      limit: ENGINE_LIMITS.engineQuestions,
      spawn: parts.spawn,
      onFailure: (err, failures) => {
        parts.log.error({ err, failures }, "a reading thread failed");
        return parts.storeFaults?.ends(err) !== true;
      },
    });
  }

  /** Starts the thread; the engine must have opened the store. Until it is ready the engine answers. */
  start(): void {
    this.#rpc.start();
  }

  /**
   * Lets go of the store while `work` puts another in its place, and reads what is there then. Questions go to the engine
   * meanwhile; those that waited reject with `engine/restarted`. Rejects with the error of `work`.
   */
  whileClosed(work: () => Promise<void>): Promise<void> {
    return this.#rpc.whileClosed(work);
  }

  /** Resolves when the reading thread has said that it can answer. */
  get ready(): Promise<void> {
    return this.#rpc.opened;
  }

  /** Ends the thread. Calling it again does nothing. */
  stop(): Promise<void> {
    return this.#rpc.stop();
  }

  /** Asks a question. Errors: the core's, `queue/full`, `engine/restarted`, `node/stopping`, `run/aborted`. */
  async ask<Q extends Question>(
    question: Q,
    args: QuestionArgs<Q>,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer<Q>> {
    this.#rpc.throwIfOver(signal);
    if (!this.#rpc.isOpen) return this.#parts.engine.ask(question, args, signal);
    const { value } = await this.#rpc.call({ call: { kind: "ask", question, args } }, signal);
    if (isAnswerTo(question, value)) return value;
    throw new SvcError("internal/unexpected", {
      message: `${question} was answered in another form`,
    });
  }
}
