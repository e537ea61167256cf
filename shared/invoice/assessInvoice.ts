/**
 * What the payments of an invoice come to: a pure function of terms, payments, tip and clock (gateway sheet 4.2).
 *
 * With A the amount, S all payments that count, S' those on time, D those of S' that are settled:
 *
 * - S = 0: `new`, and `expired` from the expiry on;
 * - S' ≥ A − tolerance: `paid`; where also D ≥ A − tolerance `confirmed`, and `overpaid` where D > A + tolerance;
 * - else `paidLate` where a payment was late, and `partial` where none was.
 */
import { asSompi, U64_MAX, type Sompi } from "../base/brand.ts";
import type { InvoiceStatus } from "../protocol/gateway/invoiceRecord.ts";
import type { Invoice, InvoicePayment } from "./invoice.ts";

/** What an invoice's payments come to at a moment. */
export type Assessment = {
  readonly status: InvoiceStatus;
  /** The time to pay is over, and the amount did not come in it. */
  readonly expired: boolean;
  /** A payment came too late. */
  readonly late: boolean;
  /** All payments that count, late ones among them. */
  readonly paid: Sompi;
  /** Payments that wait in a pool, whether or not they count. */
  readonly seen: Sompi;
  /** Settled payments, late ones among them. */
  readonly settled: Sompi;
  /** What is missing to the amount. */
  readonly due: Sompi;
  /** What was paid beyond the amount. */
  readonly overpaid: Sompi;
};

/** Assesses an invoice at a time of the gateway's clock, in ms. */
export function assessInvoice(invoice: Invoice, nowMs: bigint): Assessment {
  const { terms, mark } = invoice;
  const sums = sumsOf(invoice);
  const { paid, onTime, settledOnTime, isLate } = sums;
  const least = terms.amount - terms.policy.toleranceUnder;
  const isCovered = onTime >= least && onTime > 0n;
  const isOver = mark?.as === "invalid" || nowMs >= terms.expiresMs;
  const due = terms.amount - paid;
  return {
    status: statusOf(),
    expired: isOver && !isCovered && mark?.as !== "settled",
    late: isLate,
    paid: bounded(paid),
    seen: bounded(sums.seen),
    settled: bounded(sums.settled),
    due: bounded(due > 0n ? due : 0n),
    overpaid: bounded(due < 0n ? -due : 0n),
  };

  function statusOf(): InvoiceStatus {
    if (mark?.as === "settled") return "confirmed";
    if (paid === 0n) return isOver ? "expired" : "new";
    if (!isCovered) return isLate ? "paidLate" : "partial";
    if (settledOnTime < least) return "paid";
    return settledOnTime > terms.amount + terms.policy.toleranceOver ? "overpaid" : "confirmed";
  }
}

/** Whether a payment came too late for the invoice. */
export function isLatePayment({ terms, mark }: Invoice, payment: InvoicePayment): boolean {
  if (mark?.as === "invalid") return true;
  if (terms.policy.late === "accept") return false;
  return paidAtMs(payment) > terms.expiresMs + terms.policy.graceMs;
}

/** Whether a payment counts as paid: one in a pool does where the amount of the invoice is small enough. */
export function countsAsPaid({ terms }: Invoice, { place }: InvoicePayment): boolean {
  if (place.kind === "pool") return terms.amount <= terms.policy.poolLimit;
  return place.kind === "mined";
}

/** The miner's time, or an earlier one at which the gateway saw it: neither a late block nor an outage makes a payment late. */
function paidAtMs({ place, seenMs }: InvoicePayment): bigint {
  if (place.kind !== "mined") return seenMs;
  const { timestampMs } = place.block;
  return timestampMs < seenMs ? timestampMs : seenMs;
}

/** One coin that is paid again and again adds up without an end; what is told has 64 bits. */
function bounded(sum: bigint): Sompi {
  return asSompi(sum < U64_MAX ? sum : U64_MAX);
}

type Sums = {
  readonly paid: bigint;
  readonly onTime: bigint;
  readonly settled: bigint;
  readonly settledOnTime: bigint;
  readonly seen: bigint;
  readonly isLate: boolean;
};

function sumsOf(invoice: Invoice): Sums {
  const early = invoice.folded?.onTime ?? 0n;
  const late = invoice.folded?.late ?? 0n;
  let paid = early + late;
  let onTime: bigint = early;
  let settled = early + late;
  let settledOnTime: bigint = early;
  let seen = 0n;
  let isLate = late > 0n;
  for (const payment of invoice.payments) {
    const { amount } = payment.output;
    if (payment.place.kind === "pool") seen += amount;
    if (!countsAsPaid(invoice, payment)) continue;
    const wasLate = isLatePayment(invoice, payment);
    isLate ||= wasLate;
    paid += amount;
    if (!wasLate) onTime += amount;
    if (!payment.settled) continue;
    settled += amount;
    if (!wasLate) settledOnTime += amount;
  }
  return { paid, onTime, settled, settledOnTime, seen, isLate };
}
