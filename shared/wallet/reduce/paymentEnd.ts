/** Why a payment failed, as an error for people. */
import { sentenceOf } from "../../base/errors.ts";
import { SvcError } from "../../base/svcError.ts";
import { isLost, type Payment } from "../state/payment.ts";

/**
 * The reason why a payment is not paid, as far as this wallet knows: `tx/nullifier-spent` where another transaction has spent
 * its notes, `tx/anchor-too-old`, `wallet/payment-rejected` where a node refused it for good, else what ended it before its
 * bytes left. Null while it may be paid, or is, and for one that was cancelled.
 */
export function whyNotPaid({ status, txid, reserved, anchor }: Payment): SvcError | null {
  switch (status.state) {
    case "conflicted":
      return new SvcError("tx/nullifier-spent", { nullifier: reserved[0]?.nullifier ?? "" });
    case "expired":
      return new SvcError("tx/anchor-too-old", { anchor: anchor?.root ?? "" });
    case "failed":
      if (txid === null) return SvcError.fromJson(status.error);
      return new SvcError("wallet/payment-rejected", { txid, reason: sentenceOf(status.error) });
    default:
      return null;
  }
}

/** The first reason why one of these payments is lost; null when none is. */
export function whyLost(payments: readonly Payment[]): SvcError | null {
  const lost = payments.find((payment) => isLost(payment));
  return lost === undefined ? null : whyNotPaid(lost);
}
