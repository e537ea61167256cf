/** Input of prover and signer (specification wallet 12.2): values as their JSON has them. */
import type { Anchor } from "../../base/brand.ts";

/** The prover's plan in the form of its JSON; numbers of 64 bits are decimal text, bytes hex. */
export type ProvePlan = {
  readonly profile: unknown;
  readonly fvk: string;
  readonly daaScore: string;
  readonly anchor: Anchor;
  readonly anchorBlock: string;
  readonly spends: readonly {
    readonly recipient: string;
    readonly value: string;
    readonly rho: string;
    readonly rseed: string;
    readonly position: string;
    readonly path: string;
  }[];
  readonly outputs: readonly {
    readonly address: string;
    readonly value: string;
    readonly memo: string;
  }[];
  readonly fee: string;
  readonly recoverable: boolean;
};

/** A transaction as far as it is compared with the whole that it is a part of. */
export type IntendedPart = {
  readonly payments: ProvePlan["outputs"];
  /** Sompi as decimal text. */
  readonly fee: string;
};

/** A payment over several transactions: what the person confirmed, and which of these were signed before. */
export type WholeIntent = {
  readonly payments: ProvePlan["outputs"];
  /** The most that all transactions may cost together. */
  readonly maxFee: string;
  readonly signed: readonly IntendedPart[];
};

/** The signer's input: the payment as the person wants it, to compare with the proved one. */
export type SignIntent = {
  readonly profile: unknown;
  readonly daaScore: string;
  readonly payments: ProvePlan["outputs"];
  readonly fee: string;
  readonly recoverable: boolean;
  /** The whole that it is a part of; left out for a payment of one transaction. */
  readonly whole?: WholeIntent;
  /** Nobody confirmed it: a merge in the background, which may pay the wallet itself alone (`checkMerge`). */
  readonly background?: true;
};

/** What the signer is told beside the payment. */
export type IntentContext = {
  /** The whole that it is a part of; null for a payment by itself. */
  readonly whole?: WholeIntent | null;
  /** Nobody confirmed it. */
  readonly background?: boolean;
};

/** Makes the intent that belongs to a plan. */
export function signIntent(
  plan: ProvePlan,
  { whole = null, background = false }: IntentContext = {},
): SignIntent {
  const { profile, daaScore, outputs, fee, recoverable } = plan;
  const intent = { profile, daaScore, payments: outputs, fee, recoverable };
  const context = background ? { ...intent, background } : intent;
  return whole === null ? context : { ...context, whole };
}
