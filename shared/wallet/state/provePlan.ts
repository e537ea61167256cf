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

/** The signer's input: the payment as the person wants it, to compare with the proved one. */
export type SignIntent = {
  readonly profile: unknown;
  readonly daaScore: string;
  readonly payments: ProvePlan["outputs"];
  readonly fee: string;
  readonly recoverable: boolean;
};

/** Makes the intent that belongs to a plan. */
export function signIntent(plan: ProvePlan): SignIntent {
  const { profile, daaScore, outputs, fee, recoverable } = plan;
  return { profile, daaScore, payments: outputs, fee, recoverable };
}
