/** Estimates what planned transactions take, for a caller that only asks: money, notes, time. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import { actionCount } from "../state/fee.ts";
import { paymentAmount } from "../state/payment.ts";
import type { PlannedPayment } from "./planner.ts";

/** What planned transactions take together. */
export type TransferEstimate = {
  readonly transactions: number;
  /** Reaches the payees. */
  readonly amount: Sompi;
  readonly fee: Sompi;
  /** Notes that are spent. */
  readonly notes: number;
  /** Seconds of proving, rounded up: waiting for other proofs is not in it. */
  readonly provingSeconds: number;
};

/**
 * Estimates a plan. `secondsPerNote` is what this machine takes to prove one action; an output without a spend beside it
 * costs as much as a note. Throws `codec/number-out-of-range` for sums beyond 64 bits.
 */
export function estimateTransfer(
  planned: readonly PlannedPayment[],
  secondsPerNote: number,
): TransferEstimate {
  let [amount, fee, notes, actions] = [0n, 0n, 0, 0];
  for (const part of planned) {
    amount += paymentAmount(part);
    fee += part.fee;
    notes += part.notes.length;
    const outputs = part.payees.length + (part.change > 0n ? 1 : 0);
    actions += actionCount(part.notes.length, outputs);
  }
  return {
    transactions: planned.length,
    amount: asSompi(amount),
    fee: asSompi(fee),
    notes,
    provingSeconds: Math.ceil(actions * secondsPerNote),
  };
}
