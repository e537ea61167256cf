/** Propagation monitor: nodes in a line, and when each of them announced a block, by one clock. */
import type { NodeProcess } from "../../network/testkit/nodeProcess.ts";

/** Records when each node announced each block. */
export class WatchedLine {
  readonly #nodes: readonly NodeProcess[];
  /** Milliseconds on this process's clock, by the node's place. */
  readonly #heard = new Map<string, (number | undefined)[]>();

  /** Hears of blocks that are new to the first node. */
  #onNew: (hash: string) => void = () => {};

  private constructor(nodes: readonly NodeProcess[]) {
    this.#nodes = nodes;
  }

  /** Asks all of them to tell. */
  static async over(nodes: readonly NodeProcess[]): Promise<WatchedLine> {
    const line = new WatchedLine(nodes);
    for (const [place, { grpc }] of nodes.entries()) {
      grpc.onNotification((payload) => {
        if (payload.$case !== "blockAdded") return;
        const hash = payload.value.block?.verboseData?.hash;
        if (hash !== undefined) line.#hear(hash, place);
      });
      await grpc.call({ $case: "notifyBlockAdded", value: { command: undefined } });
    }
    return line;
  }

  /** Mines a block on the first node's tip; its hash, as the node tells it. Rejects when it is refused. */
  async mine(payAddress: string): Promise<string> {
    const [first] = this.#nodes;
    if (first === undefined) throw new Error("there is no node");
    const { block } = await first.grpc.call({
      $case: "getBlockTemplate",
      value: { payAddress, extraData: "" },
    });
    const told = Promise.withResolvers<string>();
    this.#onNew = told.resolve;
    const { error } = await first.grpc.call({
      $case: "submitBlock",
      value: { block, allowNonDaaBlocks: false },
    });
    if (error !== undefined) throw new Error(error.message);
    return told.promise;
  }

  /** Whether every node has told of a block. */
  isEverywhere(hash: string): boolean {
    const heard = this.#heard.get(hash) ?? [];
    return this.#nodes.every((_, place) => heard[place] !== undefined);
  }

  /** When each node told of it. */
  timesOf(hash: string): readonly number[] {
    return (this.#heard.get(hash) ?? []).map((ms) => ms ?? Number.NaN);
  }

  #hear(hash: string, place: number): void {
    const heard = this.#heard.get(hash) ?? this.#nodes.map(() => undefined);
    heard[place] ??= performance.now();
    this.#heard.set(hash, heard);
    if (place === 0) this.#onNew(hash);
  }
}
