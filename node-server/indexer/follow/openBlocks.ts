/** Unmerged blocks of the graph, in memory: the past of the tips that is in no derived table, and the sink. */
import type { BlockHash, TxId } from "@svc/shared/base/brand.ts";
import type { WholeBlock } from "../derive/chainContent.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";

/** Who tells of blocks. */
export type OpenBlocksSource = {
  /** A chain block has merged it. */
  readonly isMerged: (hash: BlockHash) => boolean;
  /** Null for a block that has no body here. */
  readonly read: (hash: BlockHash) => Promise<WholeBlock | null>;
};

/** The blocks by their hashes. */
export class OpenBlocks {
  #blocks: ReadonlyMap<BlockHash, WholeBlock> = new Map();
  #carriers: ReadonlyMap<TxId, readonly WholeBlock[]> = new Map();

  /** Forgets all of them. */
  clear(): void {
    this.#blocks = new Map();
    this.#carriers = new Map();
  }

  /** Finds anew what hangs from these tips. `sink` is merged, and its payments wait for the next chain block. Rejects as `read` does. */
  async refresh(
    tips: readonly BlockHash[],
    sink: WholeBlock,
    source: OpenBlocksSource,
  ): Promise<void> {
    const found = new Map<BlockHash, WholeBlock>();
    const waiting = [...tips];
    const heard = new Set(waiting);
    for (let hash = waiting.shift(); hash !== undefined; hash = waiting.shift()) {
      if (found.size >= INDEXER_LIMITS.indexOpenBlocks) break;
      if (source.isMerged(hash)) continue;
      const block = this.#blocks.get(hash) ?? (await source.read(hash));
      if (block === null) continue;
      found.set(hash, block);
      for (const parent of block.parents) {
        if (heard.has(parent)) continue;
        heard.add(parent);
        waiting.push(parent);
      }
    }
    this.#blocks = found;
    this.#carriers = carriersOf([...found.values()], sink);
  }

  /** All of them. */
  all(): readonly WholeBlock[] {
    return [...this.#blocks.values()];
  }

  /** One of them. */
  get(hash: BlockHash): WholeBlock | undefined {
    return this.#blocks.get(hash);
  }

  /** Those that carry a transaction; the sink among them, for its payments. */
  carriersOf(txid: TxId): readonly WholeBlock[] {
    return this.#carriers.get(txid) ?? [];
  }

  /** Transactions that they carry, and the sink. */
  transactions(): Iterable<readonly [TxId, readonly WholeBlock[]]> {
    return this.#carriers;
  }
}

function carriersOf(blocks: readonly WholeBlock[], sink: WholeBlock): Map<TxId, WholeBlock[]> {
  const carriers = new Map<TxId, WholeBlock[]>();
  const add = (txid: TxId, block: WholeBlock): void => {
    carriers.set(txid, [...(carriers.get(txid) ?? []), block]);
  };
  for (const { txid } of sink.contents.slice(1)) add(txid, sink);
  for (const block of blocks) for (const { txid } of block.contents) add(txid, block);
  return carriers;
}
