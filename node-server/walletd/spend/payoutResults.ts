/** Payout results: what became of each payout of a batch, by the payments of its job, which alone say what was paid. */
import { asSompi, type TxId } from "@svc/shared/base/brand.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PayoutResult, PayoutStatus } from "@svc/shared/wallet/plan/payoutReport.ts";
import { whyNotPaid } from "@svc/shared/wallet/reduce/paymentEnd.ts";
import { isLost, isOut, type Payment } from "@svc/shared/wallet/state/payment.ts";
import type { JobRow, JobState } from "../store/jobTable.ts";
import type { SpendOrder } from "./spendOrder.ts";

/** What the transactions of a batch pay of one payout. */
type Paid = {
  /** With those that were signed and refused. */
  tried: bigint;
  sent: bigint;
  readonly txids: TxId[];
  error: ErrorJson | null;
};

/**
 * The results in the order of the file. `payments` are those of the job, in their order: they pay the payees one after the other,
 * the last of each perhaps in part.
 */
export function payoutResults(
  { payees, lines = [] }: SpendOrder,
  payments: readonly Payment[],
  { state, error }: Pick<JobRow, "state" | "error">,
): readonly PayoutResult[] {
  const paid = payees.map((): Paid => ({ tried: 0n, sent: 0n, txids: [], error: null }));
  let at = 0;
  for (const payment of payments) {
    if (!isOut(payment) && !isLost(payment)) continue;
    for (const { value } of payment.payees) {
      const place = paid[at];
      if (place === undefined) break;
      add(place, payment, value);
      if (place.tried >= (payees[at]?.value ?? 0n)) at += 1;
    }
  }
  return payees.map((payee, place) => {
    const { sent = 0n, txids = [], error: own = null } = paid[place] ?? {};
    const status = statusOf(state, { sent, value: payee.value });
    const { line = place + 1, reference = null } = lines[place] ?? {};
    const isOver = status === "failed" || status === "part";
    return {
      row: { line, reference, payee },
      status,
      sent: asSompi(sent),
      txids,
      error: isOver ? (own ?? error) : null,
    };
  });
}

function add(place: Paid, payment: Payment, value: bigint): void {
  place.tried += value;
  if (!isOut(payment)) {
    place.error ??= whyNotPaid(payment)?.toJSON() ?? null;
    return;
  }
  place.sent += value;
  if (payment.txid !== null) place.txids.push(payment.txid);
}

function statusOf(
  state: JobState,
  { sent, value }: { readonly sent: bigint; readonly value: bigint },
): PayoutStatus {
  if (sent >= value) return "sent";
  if (state === "waiting" || state === "running") return "waiting";
  if (sent > 0n) return "part";
  return state === "cancelled" ? "cancelled" : "failed";
}
