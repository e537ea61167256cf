/**
 * A transaction as plain values (specification consensus 9.1). Ids, hashes, masses and rules are the
 * core's; nothing here computes them.
 */
import type { Hash32, Sompi, TxId } from "../base/brand.ts";

/** A transparent input. Shielded payments and coinbases have none. */
export type TransactionInput = {
  readonly txid: TxId;
  /** Place of the spent output in its transaction. */
  readonly index: number;
  readonly script: Uint8Array;
  readonly sequence: bigint;
  /** Signature operations in version 0, compute budget from version 1 on. */
  readonly compute: number;
};

/** The covenant an output belongs to; from version 1 on. */
export type Covenant = { readonly authorizingInput: number; readonly id: Hash32 };

/** A transparent output; in a coinbase, a note to be minted. */
export type TransactionOutput = {
  readonly value: Sompi;
  readonly scriptVersion: number;
  /** In a shielded coinbase the 43 bytes of the recipient. */
  readonly script: Uint8Array;
  readonly covenant: Covenant | null;
};

/** A transaction. A shielded payment has version 2, no inputs and outputs, and its bundle as payload. */
export type Transaction = {
  readonly version: number;
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  /** A DAA score, or milliseconds since 1970 when large; 0 = none. */
  readonly lockTime: bigint;
  /** 20 bytes. */
  readonly subnetworkId: Uint8Array;
  readonly gas: bigint;
  readonly payload: Uint8Array;
  /** Grams that the sender commits to; 0 for shielded payments. */
  readonly storageMass: bigint;
};

/** Bytes of a subnetwork id. */
export const SUBNETWORK_ID_LENGTH = 20;
