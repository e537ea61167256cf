/**
 * The request loop of the serving thread: answers questions about the graph at once, and those about the pruning point one
 * after the other.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore, coreError, isFatal } from "@svc/shared/core/callCore.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { answerChain, type ChainSource } from "./answerChain.ts";
import type { PointExport } from "./pointExport.ts";
import {
  isPointQuestion,
  type ChainQuestion,
  type PointQuestion,
  type ServedPage,
  type ServeReport,
  type ServeRequest,
} from "./serveMessages.ts";
import type { StoreSnapshots } from "./storeSnapshots.ts";
import { isAnswerTo } from "../../engine/calls/engineQuestions.ts";
import { takeQuestion } from "../../engine/calls/engineQuestions.ts";

/** Dependencies of the loop. */
export type ServeSessionParts = {
  readonly views: Pick<StoreSnapshots, "open">;
  /** Scan records from a number in the chain downwards. */
  readonly history: (reader: RawReader, top: bigint, limit: number) => Uint8Array;
  readonly pointExport: Pick<PointExport, "answer" | "stop">;
  /** Resolves when whatever else waits had its turn. */
  readonly turn: () => Promise<void>;
  readonly report: (report: ServeReport) => void;
  /** Called once, when nothing is answered any more. */
  readonly ended: () => void;
};

type Waiting<Question> = { readonly id: number; readonly question: Question };

/** The work of one serving thread. */
export class ServeSession {
  readonly #parts: ServeSessionParts;
  readonly #chain: Waiting<ChainQuestion>[] = [];
  readonly #point: Waiting<PointQuestion>[] = [];
  /** What is being answered. */
  readonly #rows = new Map<"chain" | "point", Promise<void>>();
  #hasEnded = false;

  constructor(parts: ServeSessionParts) {
    this.#parts = parts;
  }

  /** Takes a request. */
  receive(request: ServeRequest): void {
    if ("stop" in request) {
      this.#end();
      return;
    }
    const { id, question } = request;
    if (isPointQuestion(question)) this.#point.push({ id, question });
    else this.#chain.push({ id, question });
    this.#work("chain", this.#chain, (next) => this.#answerChain(next));
    this.#work("point", this.#point, (next) => this.#parts.pointExport.answer(next));
  }

  #work<Question>(
    row: "chain" | "point",
    waiting: Waiting<Question>[],
    answer: (question: Question) => Promise<ServedPage>,
  ): void {
    if (this.#rows.has(row) || waiting.length === 0) return;
    const work = this.#answerAll(row, waiting, answer);
    this.#rows.set(row, work);
  }

  /** Answers a row one after the other, with turns for others between them. */
  async #answerAll<Question>(
    row: "chain" | "point",
    waiting: Waiting<Question>[],
    answer: (question: Question) => Promise<ServedPage>,
  ): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await this.#settle(next.id, answer(next.question));
      await this.#parts.turn();
    }
    this.#rows.delete(row);
  }

  async #settle(id: number, answer: Promise<ServedPage>): Promise<void> {
    try {
      const page = await answer;
      if (!this.#hasEnded) this.#parts.report({ kind: "answer", id, page });
    } catch (thrown) {
      if (this.#hasEnded) return;
      const error = coreError(thrown);
      if (isFatal(error)) {
        this.#parts.report({ kind: "failed", error: error.toJSON() });
        this.#end();
      } else this.#parts.report({ kind: "refused", id, error: error.toJSON() });
    }
  }

  async #answerChain(question: ChainQuestion): Promise<ServedPage> {
    const { reader, close } = this.#parts.views.open();
    try {
      return await answerChain(this.#sourceOf(reader), question);
    } finally {
      close();
    }
  }

  #sourceOf(reader: RawReader): ChainSource {
    return {
      ask: async (question, args) => {
        const answer = callCore(() => takeQuestion(reader, question, args));
        if (isAnswerTo(question, answer)) return answer;
        throw new SvcError("internal/unexpected", { message: `${question} has another form` });
      },
      history: async (top, limit) => this.#parts.history(reader, top, limit),
    };
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#chain.length = 0;
    this.#point.length = 0;
    this.#parts.pointExport.stop();
    // Nothing may look at the store when it is closed.
    void this.#parts
      .turn()
      .then(() => Promise.all(this.#rows.values()))
      .then(() => this.#parts.ended());
  }
}
