/**
 * Prepared payment, version 3: what a daemon without keys gives to a device that has them (specification shielded 18). It is the
 * same over HTTP and over an air gap, where it comes without its proof.
 */
import type { DaaScore, RawAddress, Sompi } from "../base/brand.ts";

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
export type PreparedPayment = {
  readonly version: typeof PREPARED_VERSION;
  /** Genesis hash, hex. */
  readonly network: string;
  /** What `sessionOf` gives for the rest: hex of 24 bytes. */
  readonly session: string;
  /** DAA score for which it is made: decides the form of the bundle. */
  readonly daaScore: DaaScore;
  readonly payments: readonly PlannedOutput[];
  readonly fee: Sompi;
  /** The bundle, its signatures zero, with or without its proof. */
  readonly bundle: Uint8Array;
  /** One entry an action, in their order. */
  readonly disclosure: readonly DisclosedAction[];
  /** One entry for each spend to sign. */
  readonly alphas: readonly SpendRandomizer[];
};

/** What a device answers: signatures for one session. */
export type SignatureList = {
  readonly session: string;
  /** `sig` is hex of 64 bytes. */
  readonly signatures: readonly { readonly index: number; readonly sig: string }[];
};
