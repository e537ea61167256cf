/** A cached read model of the chain's head (sink, scores), kept up to date by the engine's events. */
import type { BlockHash, BlueScore, DaaScore } from "@svc/shared/base/brand.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of the chain head. */
export type ChainHeadParts = {
  readonly engine: Pick<EngineHost, "onEvent">;
  readonly reader: Pick<ReaderHost, "ask">;
};

/** How far the node's own chain reaches. */
export type Head = {
  readonly sink: BlockHash;
  readonly sinkBlueScore: BlueScore;
  /** Of the next block. */
  readonly daaScore: DaaScore;
  readonly genesis: BlockHash;
};

/** Follows the chain and gives the sink and the next DAA score without a question to the engine. */
export class ChainHead {
  readonly #parts: ChainHeadParts;
  #head: Head;
  #unsubscribe: () => void = () => {};

  private constructor(parts: ChainHeadParts, head: Head) {
    this.#parts = parts;
    this.#head = head;
  }

  /** Asks for the tip and follows it. Errors: those of `ReaderHost.ask`. */
  static async follow(parts: ChainHeadParts): Promise<ChainHead> {
    const head = new ChainHead(parts, await tipOf(parts));
    head.#unsubscribe = parts.engine.onEvent((event) => {
      if (event.type === "virtualChanged") {
        const { sink, sinkBlueScore, daaScore } = event;
        head.#head = { ...head.#head, sink, sinkBlueScore, daaScore };
      }
      if (event.type === "engineRestarted") head.#refresh();
    });
    return head;
  }

  /** As of the last change that was told. */
  get head(): Head {
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

async function tipOf({ reader }: ChainHeadParts): Promise<Head> {
  const { sink, sinkBlueScore, daaScore, genesis } = await askFacts(reader, "tip", []);
  return { sink, sinkBlueScore, daaScore, genesis };
}
