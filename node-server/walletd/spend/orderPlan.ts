/** Plans of spend orders: the transactions that an order takes with the notes of a moment, and the fees of all of them. */
import { asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { planConsolidation } from "@svc/shared/wallet/plan/planConsolidation.ts";
import type { PlannedPayment } from "@svc/shared/wallet/plan/planner.ts";
import { planRetry } from "@svc/shared/wallet/plan/planRetry.ts";
import type { Payee, Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { SpendOrder } from "./spendOrder.ts";

/** What a plan is made from. */
export type PlanSource = {
  readonly state: WalletState;
  readonly policy: WalletPolicy;
  readonly open: Pick<OpenWallet, "keys">;
};

/**
 * Plans what is left of an order: `payees` of a payment, or a merge. `out` are its transactions that are out. Throws as the planners
 * do.
 */
export function planOrder(
  { state, policy, open }: PlanSource,
  { kind, feeFloor, order }: SpendOrder,
  payees: readonly Payee[],
  out: readonly Payment[] = [],
): readonly PlannedPayment[] {
  if (kind === "consolidate") {
    const { text: address } = open.keys.address;
    return [planConsolidation(state, policy, { address, feeFloor, order })];
  }
  // Equal payments under way are told apart by their calls. One that seems to have failed may still go through: a second try
  // shares a note with it (decision 24).
  return planRetry(state, policy, { payees, feeFloor, mode: "many" }, { own: out });
}

/** The fees of all these transactions together. */
export function feesOf(planned: readonly Pick<PlannedPayment, "fee">[]): Sompi {
  return asSompi(planned.reduce((sum, { fee }) => sum + fee, 0n));
}

/**
 * The fees of an order by the plan of this moment. Where there is none, the least that its transactions cost: the plan is made
 * again, and judged again, when the order is carried out.
 */
export function foreseenFees(from: PlanSource, order: SpendOrder): Sompi {
  try {
    return feesOf(planOrder(from, order, order.payees));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const transactions = Math.ceil(order.payees.length / WALLET_LIMITS.walletPayeesMax);
    return asSompi(order.feeFloor * BigInt(Math.max(1, transactions)));
  }
}
