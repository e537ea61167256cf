/** How much of an invoice may be paid back: never more than its settled payments leave beside its other refunds. */
import { asSompi, type Sompi, type TimestampMs } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import type { RefundAmount } from "../protocol/gateway/refundRecord.ts";
import { assessInvoice } from "./assessInvoice.ts";
import type { Invoice } from "./invoice.ts";
import type { Refund } from "./refund.ts";

/** How much a merchant wants to pay back; an amount of its own exactly where it is a custom one. */
export type RefundWish = { readonly kind: RefundAmount; readonly amount: Sompi | null };

/**
 * The amount of a new refund beside those that there are. Throws `gateway/wrong-state` where nothing is left to pay back, and
 * `gateway/refund-too-large` for an amount of its own that is too large.
 */
export function refundAmount(
  invoice: Invoice,
  others: readonly Refund[],
  { kind, amount }: RefundWish,
  nowMs: TimestampMs,
): Sompi {
  const { settled, status } = assessInvoice(invoice, nowMs);
  const held = (refunds: readonly Refund[]): bigint =>
    refunds.reduce((sum, refund) => sum + heldBy(refund, nowMs), 0n);
  const left = atLeastNothing(settled - held(others));
  if (kind === "custom" && amount !== null) {
    if (amount > left) throw new SvcError("gateway/refund-too-large", { asked: amount, max: left });
    return amount;
  }
  // A part of the price that is paid back leaves what was overpaid as it is.
  const excess = others.filter(({ terms }) => terms.kind === "overpaid");
  const over = atLeastNothing(settled - invoice.terms.amount - held(excess));
  const most = kind === "overpaid" && over < left ? over : left;
  if (most === 0n) throw new SvcError("gateway/wrong-state", { status });
  return most;
}

/** What the invoice's settled payments leave beside these refunds, of which those count that a merchant approved. */
export function refundRoom(invoice: Invoice, others: readonly Refund[], nowMs: TimestampMs): Sompi {
  const decided = others.reduce((sum, refund) => sum + decidedBy(refund), 0n);
  return atLeastNothing(assessInvoice(invoice, nowMs).settled - decided);
}

/** Sompi that no other refund may offer: those of a cancelled one are free, and those of a failed one that it did not pay. */
export function heldBy(refund: Refund, nowMs: TimestampMs): bigint {
  const { state, terms } = refund;
  if (state === "claimed") return terms.amount;
  return state === "requested" ? (isOver(refund, nowMs) ? 0n : terms.amount) : decidedBy(refund);
}

/** Sompi that were paid back, or will be without another word of the merchant. */
export function decidedBy({ state, terms, moved }: Refund): bigint {
  if (state === "failed") return moved;
  return state === "approved" || state === "sent" || state === "confirmed" ? terms.amount : 0n;
}

/** Whether nobody has claimed it in time. */
export function isOver({ state, terms }: Refund, nowMs: TimestampMs): boolean {
  return state === "requested" && nowMs >= terms.expiresMs;
}

function atLeastNothing(value: bigint): Sompi {
  return asSompi(value > 0n ? value : 0n);
}
