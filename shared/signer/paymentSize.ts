/** Size of a payment: how much fits one transaction, and the greatest fee that a device pays for it unasked. */
import { asSompi, type Sompi } from "../base/brand.ts";
import { actionCount, walletFee } from "../wallet/state/fee.ts";
import { WALLET_LIMITS } from "../wallet/walletLimits.ts";
import { SIGNER_LIMITS } from "./signerLimits.ts";

/** The most notes that one transaction spends (specification shielded 13.1). */
export function maxSpendsPerTx(): number {
  return WALLET_LIMITS.walletActionsMax;
}

/** The most actions, each a spend and an output, that one transaction has. */
export function maxActionsPerTx(): number {
  return WALLET_LIMITS.walletActionsMax;
}

/** The most payees of one transaction: one output stays free for the change. */
export function maxPayeesPerTx(): number {
  return WALLET_LIMITS.walletPayeesMax;
}

/** The greatest fee in sompi before anything is planned: twice the wallet's fee of the largest transaction. */
export function maxFeeBeforePlanning(): Sompi {
  return maxFeeOf(maxSpendsPerTx(), maxPayeesPerTx());
}

/**
 * The greatest fee in sompi of a payment with so many spends and payees: twice the wallet's fee. Dummies that a preparer adds
 * do not count, so that they do not raise it.
 */
export function maxFeeOf(spends: number, payees: number): Sompi {
  const actions = Math.min(actionCount(spends, payees + 1), maxActionsPerTx());
  return asSompi(SIGNER_LIMITS.defaultFeeFactor * walletFee(actions));
}
