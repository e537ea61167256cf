/** Input of the derived tables for a chain block: plain values, from the engine's answers. */
import type { BlockHash, ChainIndex, TxId } from "@svc/shared/base/brand.ts";
import type { BlockContent } from "../tables/blockRow.ts";
import type { TransactionContent } from "../tables/transactionRow.ts";

/** A block with its transactions, the coinbase first. */
export type WholeBlock = BlockContent & { readonly contents: readonly TransactionContent[] };

/** A carried payment that has no effect, and the code of the reason. */
export type DroppedPayment = {
  readonly txid: TxId;
  readonly block: BlockHash;
  readonly reason: string;
};

/** A block that the chain block merged. */
export type MergedBlock = { readonly block: WholeBlock; readonly color: "blue" | "red" };

/** A chain block, and what it does to the chain before it. */
export type ChainContent = {
  readonly block: WholeBlock;
  /** Sompi of the notes that its coinbase mints. */
  readonly minted: readonly bigint[];
  /** The chain block before it. */
  readonly parent: WholeBlock;
  /** Without the parent, in the order of the merge. */
  readonly merged: readonly MergedBlock[];
  /** Payments whose effects hold, each with the merged block that carries it. */
  readonly applied: readonly { readonly txid: TxId; readonly block: BlockHash }[];
  readonly dropped: readonly DroppedPayment[];
};

/** The pool after the first chain block of an index. */
export type FirstTotals = {
  readonly coinbase: bigint;
  readonly fees: bigint;
  readonly notes: bigint;
  readonly nullifiers: bigint;
};

/** The first chain block of an index. */
export type FirstContent = {
  readonly index: ChainIndex;
  readonly block: WholeBlock;
  readonly totals: FirstTotals;
};
