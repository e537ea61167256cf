/** The record of a sale as its till reads it, made from its invoice. */
import type { TimestampMs } from "../../base/brand.ts";
import { readDecimal } from "./decimals.ts";
import { assessInvoice } from "../../invoice/assessInvoice.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import { seconds } from "../invoiceRecordOf.ts";

/** A sale. */
export type Sale = ReturnType<typeof saleRecordOf>;

const SOMPI = /^\d{1,19}$/;

/** The record, as JSON. */
export function saleRecordOf(invoice: Invoice, nowMs: TimestampMs) {
  const { terms } = invoice;
  const now = assessInvoice(invoice, nowMs);
  return {
    id: terms.id,
    status: now.status,
    amountSompi: String(terms.amount),
    tipSompi: String(tipOf(invoice)),
    paidSompi: String(now.paid),
    overpaidSompi: String(now.overpaid),
    late: now.late,
    price: priceOf(invoice),
    createdAt: seconds(terms.createdMs),
    expiresAt: seconds(terms.expiresMs),
  } as const;
}

/** The merchant may have written other metadata since: what is no tip counts as none. */
function tipOf({ terms }: Invoice): bigint {
  const text = terms.metadata["tipSompi"] ?? "";
  const tip = SOMPI.test(text) ? BigInt(text) : 0n;
  return tip <= terms.amount ? tip : 0n;
}

function priceOf({ terms }: Invoice) {
  if (terms.quote === null) return null;
  const { currency, value, rate, source, quotedMs } = terms.quote;
  const tip = terms.metadata["tip"] ?? "0";
  const read = readDecimal(tip) === null ? "0" : tip;
  return { currency, value, tip: read, rate, source, time: seconds(quotedMs) };
}
