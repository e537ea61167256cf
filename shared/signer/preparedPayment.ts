/** Prepared payment, version 3: what a prover hands to the device that checks and signs (specification shielded 18). */
import type { DaaScore, RawAddress, Sompi } from "../base/brand.ts";

/** A payment that is built and waits for its spend signatures. */
export type PreparedPayment = {
  readonly version: 3;
  /** Hash of the network's genesis block, hex. */
  readonly network: string;
  /** Name of the prepared payment at the prover, 24 bytes as hex; the signatures go back under it. */
  readonly session: string;
  /** Decides the form of the bundle. */
  readonly daaScore: DaaScore;
  readonly payments: readonly {
    readonly recipient: RawAddress;
    readonly value: Sompi;
    /** Hex, without padding. */
    readonly memo: string;
  }[];
  readonly fee: Sompi;
  /** Canonical bundle; on the air gap its proof is empty, and its signatures are zero and left out. */
  readonly bundle: Uint8Array;
  /** The opening of each action, in their order. */
  readonly disclosure: readonly {
    readonly spendValue: Sompi;
    readonly outValue: Sompi;
    readonly outRecipient: RawAddress;
    readonly outRseed: string;
    readonly rcv: string;
  }[];
  /** The randomiser of each spend that has to be signed, by the index of its action. */
  readonly alphas: readonly { readonly index: number; readonly alpha: string }[];
};
