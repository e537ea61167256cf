/** Review of a payment before it is made: the plan of its transactions, and the earlier payments that it repeats (decision 24). */
import { asSompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Payee, Payment } from "../state/payment.ts";
import type { PlannedPayment } from "./planner.ts";
import { planRetry } from "./planRetry.ts";
import { repeatedPayments } from "./retry.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import type { WalletState } from "../state/walletState.ts";

/** A payment for review by its owner. */
export type ReviewedPayment = {
  /** Its transactions, in the order in which they are sent; at least one. */
  readonly planned: readonly PlannedPayment[];
  /** Earlier payments that may still go through. */
  readonly repeated: readonly Payment[];
  /**
   * The plan shares notes with them, so that at most one goes through. Otherwise it is that of one more payment, the only one
   * that can be made now: a second try is refused, since both could go through.
   */
  readonly shares: boolean;
};

/** Inputs of a plan beside the notes. */
export type WholeToPlan = {
  readonly payees: readonly Payee[];
  /** Earlier payments that it repeats. */
  readonly repeated: readonly Payment[];
  /** Transactions of the same payment that are out. */
  readonly own?: readonly Payment[];
};

/** Plans the transactions of a payment at the least fee. Throws as `planRetry` does. */
export function planWhole(
  state: WalletState,
  policy: WalletPolicy,
  { payees, repeated, own = [] }: WholeToPlan,
): readonly PlannedPayment[] {
  const request = { payees, feeFloor: asSompi(0n), mode: "many" } as const;
  return planRetry(state, policy, request, { own, tries: repeated });
}

/** Plans a payment for its review. Throws as `planWhole` does, but for `wallet/retry-unsafe`. */
export function reviewPayment(
  state: WalletState,
  policy: WalletPolicy,
  payees: readonly Payee[],
): ReviewedPayment {
  const repeated = repeatedPayments(state, payees);
  try {
    return { planned: planWhole(state, policy, { payees, repeated }), repeated, shares: true };
  } catch (error) {
    if (!SvcError.is(error, "wallet/retry-unsafe")) throw error;
    const planned = planWhole(state, policy, { payees, repeated: [] });
    return { planned, repeated, shares: false };
  }
}
