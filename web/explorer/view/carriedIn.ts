/** Transactions that blocks carry, payments first within a block, each once. */

/** A transaction of a list. */
export type CarriedTransaction = {
  readonly txid: string;
  readonly kind: "coinbase" | "payment";
  readonly actions: number;
  /** Newest block that carries it. */
  readonly block: string;
  /** Unix ms of that block, as its miner says. */
  readonly timestamp: number;
};

type CarryingBlock = {
  readonly block_hash: string;
  readonly timestamp: string;
  readonly txs: readonly {
    readonly txId: string;
    readonly kind: "coinbase" | "payment";
    readonly actions: number;
  }[];
};

/** The transactions of blocks that are listed newest first, at most so many. */
export function carriedIn(
  blocks: readonly CarryingBlock[],
  most: number,
): readonly CarriedTransaction[] {
  const found = new Map<string, CarriedTransaction>();
  for (const { block_hash: block, timestamp, txs } of blocks) {
    const payments = txs.filter(({ kind }) => kind === "payment");
    const coinbases = txs.filter(({ kind }) => kind === "coinbase");
    for (const { txId, kind, actions } of [...payments, ...coinbases]) {
      if (found.size >= most) return [...found.values()];
      if (found.has(txId)) continue;
      found.set(txId, { txid: txId, kind, actions, block, timestamp: Number(timestamp) });
    }
  }
  return [...found.values()];
}
