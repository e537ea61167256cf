/** A block as plain values. */
import type { Header } from "./header.ts";
import type { Transaction } from "./transaction.ts";

/** A block: its header, and the transactions that the header's merkle root covers, coinbase first. */
export type Block = {
  readonly header: Header;
  readonly transactions: readonly Transaction[];
  /** Proof of merged mining in borsh, as it came; absent for a natively mined block. The id does not cover it. */
  readonly witness?: Uint8Array;
};
