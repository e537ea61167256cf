/** Review of a payment before it is made: its plan, and the earlier payments that it repeats (decision 24). */
import { SvcError } from "../../base/svcError.ts";
import type { Payee, Payment } from "../state/payment.ts";
import { planPayment, type PlannedPayment } from "./planner.ts";
import { repeatedPayments } from "./retry.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import type { WalletState } from "../state/walletState.ts";

/** A payment for review by its owner. */
export type ReviewedPayment = {
  readonly planned: PlannedPayment;
  /** Earlier payments that may still go through. */
  readonly repeated: readonly Payment[];
  /**
   * The plan spends a note of each of them. Otherwise it is that of one more payment, the only one that can be made now: a
   * second try is refused, since both could go through.
   */
  readonly shares: boolean;
};

/** Plans a payment for its review. Throws as `planPayment` does, but for `wallet/retry-unsafe`. */
export function reviewPayment(
  state: WalletState,
  policy: WalletPolicy,
  payees: readonly Payee[],
): ReviewedPayment {
  const repeated = repeatedPayments(state, payees);
  try {
    return { planned: planPayment(state, policy, payees, { repeated }), repeated, shares: true };
  } catch (error) {
    if (!SvcError.is(error, "wallet/retry-unsafe")) throw error;
    return { planned: planPayment(state, policy, payees), repeated, shares: false };
  }
}
