/** How far this node's own chain reaches, without asking each time. */
import type { BlockHash, DaaScore } from "@svc/shared/base/brand.ts";
import { readTipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { EngineHost } from "../consensus/engineHost.ts";
import type { ReaderHost } from "../consensus/readerHost.ts";

/** What following works with. */
export type ChainHeadParts = {
  readonly engine: Pick<EngineHost, "onEvent">;
  readonly reader: Pick<ReaderHost, "ask">;
};

/** The sink and the next DAA score. */
export class ChainHead {
  readonly #parts: ChainHeadParts;
  #head: { readonly sink: BlockHash; readonly daaScore: DaaScore; readonly genesis: BlockHash };
  #unsubscribe: () => void = () => {};

  private constructor(parts: ChainHeadParts, head: ChainHead["head"]) {
    this.#parts = parts;
    this.#head = head;
  }

  /** Asks for the tip and follows it. Errors: those of `ReaderHost.ask`. */
  static async follow(parts: ChainHeadParts): Promise<ChainHead> {
    const head = new ChainHead(parts, await tipOf(parts));
    head.#unsubscribe = parts.engine.onEvent((event) => {
      if (event.type === "virtualChanged") {
        head.#head = { ...head.#head, sink: event.sink, daaScore: event.daaScore };
      }
      if (event.type === "engineRestarted") head.#refresh();
    });
    return head;
  }

  /** As of the last change that was told. */
  get head(): {
    readonly sink: BlockHash;
    readonly daaScore: DaaScore;
    readonly genesis: BlockHash;
  } {
    return this.#head;
  }

  /** Follows no more. */
  stop(): void {
    this.#unsubscribe();
  }

  /** The chain may be another one. An engine that restarts again tells again. */
  #refresh(): void {
    tipOf(this.#parts).then(
      (head) => {
        this.#head = head;
      },
      () => undefined,
    );
  }
}

async function tipOf({ reader }: ChainHeadParts): Promise<ChainHead["head"]> {
  const { sink, daaScore, genesis } = readTipFacts(await reader.ask("tip", []));
  return { sink, daaScore, genesis };
}
