/**
 * Consolidation offer: notes, transactions, fee and result of merging a wallet's notes, and whether it helps.
 *
 * Its owner confirms it as a payment of `amount` to address 0, which the planner of all payments makes of the largest notes, full
 * transactions without change (specification wallet 11.6).
 */
import { asSompi } from "../../../base/brand.ts";
import { actionCount, walletFee } from "../../state/fee.ts";
import type { WalletPolicy } from "../../state/walletPolicy.ts";
import type { WalletState } from "../../state/walletState.ts";
import { WALLET_LIMITS } from "../../walletLimits.ts";
import { capacityOf, type TransferCapacity } from "../maxSendableTransfer.ts";
import { notesStanding } from "../planner.ts";
import { spendability } from "../spendability.ts";

/** A payment of all that can be spent. */
type WholePayment = Pick<TransferCapacity, "notes" | "transactions" | "fee">;

/** What a consolidation takes and brings. */
export type ConsolidationOffer = {
  /** What is merged: so many notes in so many transactions, each of which makes one note; `amount` comes back. */
  readonly merge: TransferCapacity;
  /** A payment of everything as it would be made now, and afterwards. */
  readonly now: WholePayment;
  readonly after: WholePayment;
  /** How long the merged money cannot be spent, in seconds. */
  readonly seconds: bigint;
};

/**
 * The offer to a wallet; null where it does not help: a payment of everything is one transaction, or the merge costs more than it is
 * worth.
 */
export function consolidationOffer(
  state: WalletState,
  policy: WalletPolicy,
): ConsolidationOffer | null {
  const notes = notesStanding(spendability(state, policy), "spendable");
  const now = capacityOf(notes, policy, 0n);
  const merge = capacityOf(notes, policy, 0n, WALLET_LIMITS.mergeTransactionsMax);
  if (now.transactions < 2) return null;
  if (merge.fee * WALLET_LIMITS.mergeCostShare > merge.amount + merge.fee) return null;
  const after = wholePayment(now.notes - merge.notes + merge.transactions, policy);
  return { merge, now, after, seconds: (policy.anchorDepth * policy.blockTimeMs) / 1_000n };
}

/** A payment of so many notes, none of them too small to be worth its fee. */
function wholePayment(notes: number, { maxSpends }: WalletPolicy): WholePayment {
  const transactions = Math.ceil(notes / maxSpends);
  const rest = notes - (transactions - 1) * maxSpends;
  const full = BigInt(transactions - 1) * walletFee(actionCount(maxSpends, 1));
  return { notes, transactions, fee: asSompi(full + walletFee(actionCount(rest, 1))) };
}
