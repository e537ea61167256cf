/** Bounds the list of an invoice's payments: whoever pays one a thousand times makes it no larger than a page. */
import { asBlueScore, asSompi } from "../base/brand.ts";
import { isLatePayment } from "./assessInvoice.ts";
import { INVOICE_LIMITS } from "./invoiceLimits.ts";
import type { FoldedPayments, Invoice, InvoicePayment } from "./invoice.ts";
import type { InvoiceMoment } from "./invoiceInput.ts";

/**
 * Where more payments are listed than may be, those that no reorganisation reaches any more become part of a sum, oldest blocks first.
 * Lost ones go before them: a block that accepts one brings it back.
 */
export function foldPayments(invoice: Invoice, { tip }: InvoiceMoment): Invoice {
  const most = INVOICE_LIMITS.invoicePaymentsListed;
  if (tip === null || invoice.payments.length <= most) return invoice;
  const isLost = ({ place }: InvoicePayment): boolean => place.kind === "lost";
  const kept = invoice.payments.filter((payment) => !isLost(payment));
  const deep = kept.filter((payment) => isBelow(payment, tip - INVOICE_LIMITS.invoiceFoldDepth));
  if (kept.length <= most || deep.length === 0) {
    return kept.length === invoice.payments.length ? invoice : { ...invoice, payments: kept };
  }
  return {
    ...invoice,
    payments: kept.filter((payment) => !deep.includes(payment)),
    folded: deep.reduce((sum, payment) => added(invoice, sum, payment), invoice.folded ?? NOTHING),
  };
}

const NOTHING: FoldedPayments = {
  count: 0,
  onTime: asSompi(0n),
  late: asSompi(0n),
  upTo: asBlueScore(0n),
};

function isBelow({ place, settled }: InvoicePayment, blueScore: bigint): boolean {
  return settled && place.kind === "mined" && place.block.blueScore <= blueScore;
}

function added(invoice: Invoice, sum: FoldedPayments, payment: InvoicePayment): FoldedPayments {
  const { amount } = payment.output;
  const isLate = isLatePayment(invoice, payment);
  const at = payment.place.kind === "mined" ? payment.place.block.blueScore : sum.upTo;
  return {
    count: sum.count + 1,
    onTime: asSompi(sum.onTime + (isLate ? 0n : amount)),
    late: asSompi(sum.late + (isLate ? amount : 0n)),
    upTo: at > sum.upTo ? at : sum.upTo,
  };
}
