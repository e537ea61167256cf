/** Plans a merge that nobody confirmed: when a wallet may make one in the background, and of which notes. */
import { asSompi, type AddressText } from "../../../base/brand.ts";
import { SvcError } from "../../../base/svcError.ts";
import { isUnderWay } from "../../state/payment.ts";
import type { WalletPolicy } from "../../state/walletPolicy.ts";
import type { WalletState } from "../../state/walletState.ts";
import { WALLET_LIMITS } from "../../walletLimits.ts";
import { planConsolidation } from "../planConsolidation.ts";
import { notesStanding, type PlannedPayment } from "../planner.ts";
import { spendability } from "../spendability.ts";

/**
 * The merge; null where none is due: few notes, a payment under way or to be gone on with, or notes that are not worth its fee. The
 * smallest notes go first, so that the large ones can be spent meanwhile. `address`: address 0 as text.
 */
export function planBackgroundMerge(
  state: WalletState,
  policy: WalletPolicy,
  address: AddressText,
): PlannedPayment | null {
  const { mergeBackgroundAbove, mergeBackgroundFee, mergeCostShare: costShare } = WALLET_LIMITS;
  if (state.outbox.some((payment) => isUnderWay(payment))) return null;
  if (notesStanding(spendability(state, policy), "spendable").length <= mergeBackgroundAbove) {
    return null;
  }
  const request = { address, feeFloor: asSompi(0n), order: "smallest", costShare } as const;
  try {
    const planned = planConsolidation(state, policy, request);
    return planned.fee > mergeBackgroundFee ? null : planned;
  } catch (error) {
    if (SvcError.is(error, "wallet/nothing-to-consolidate")) return null;
    throw error;
  }
}
