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
/**
 * Prepared payment, version 3: what a daemon without keys gives to a device that has them (specification shielded 18). It is the
 * same over HTTP and over an air gap, where it comes without its proof.
 */

/** The version of the form that is described here. */
export const PREPARED_VERSION = 3;

/** One payment: to whom, how much, with which memo. A value of 0 is an announcement, made for its memo. */
export type PlannedOutput = {
  readonly recipient: RawAddress;
  readonly value: Sompi;
  /** Hex, without padding. */
  readonly memo: string;
};

/** What a preparer tells about one action, so that a device can open its commitments. */
export type DisclosedAction = {
  /** 0 for a dummy. */
  readonly spendValue: Sompi;
  readonly outValue: Sompi;
  readonly outRecipient: RawAddress;
  /** Hex, 32 bytes. */
  readonly outRseed: string;
  /** Hex, 32 bytes. */
  readonly rcv: string;
};

/** The randomizer of one spend's key. */
export type SpendRandomizer = {
  /** Index of the action. */
  readonly index: number;
  /** Hex of a canonical scalar. */
  readonly alpha: string;
};

/** A payment that somebody prepared and nobody signed. Nothing in it is believed. */
  readonly version: typeof PREPARED_VERSION;
  /** Genesis hash, hex. */
  /** What `sessionOf` gives for the rest: hex of 24 bytes. */
  /** DAA score for which it is made: decides the form of the bundle. */
  readonly payments: readonly PlannedOutput[];
  /** The bundle, its signatures zero, with or without its proof. */
  /** One entry an action, in their order. */
  readonly disclosure: readonly DisclosedAction[];
  /** One entry for each spend to sign. */
  readonly alphas: readonly SpendRandomizer[];
};

/** What a device answers: signatures for one session. */
export type SignatureList = {
  /** `sig` is hex of 64 bytes. */
  readonly signatures: readonly { readonly index: number; readonly sig: string }[];
};
