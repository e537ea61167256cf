/** Facts about payments, applied to the payments of an invoice. A payment is known by its note commitment. */
import { INVOICE_LIMITS } from "./invoiceLimits.ts";
import type { Invoice, InvoicePayment, PaymentOutput, PaymentPlace } from "./invoice.ts";
import type { InvoiceInput, InvoiceMoment } from "./invoiceInput.ts";

/** A fact about a payment. */
export type PaymentInput = Extract<InvoiceInput, { readonly output: PaymentOutput }>;

/** What is told of the receipt of a payment. */
export type ReceiptInput = Extract<InvoiceInput, { readonly kind: "receipt" }>;

/** The invoice after a fact. A fact that changes nothing gives the same object. */
export function applyToPayments(
  invoice: Invoice,
  input: PaymentInput,
  { nowMs, seenMs = nowMs }: InvoiceMoment,
): Invoice {
  const known = invoice.payments.find(({ output }) => output.cmx === input.output.cmx);
  const place = placeAfter(known?.place ?? null, input);
  if (place === null || (known === undefined && !isWelcome(invoice, input.output, place))) {
    return invoice;
  }
  const { output } = input;
  if (known === undefined) {
    const added = { output, place, seenMs, settled: false, told: false };
    return { ...invoice, archived: false, payments: [...invoice.payments, added] };
  }
  const isSame = known.place.kind === "mined" && place.kind === "mined";
  const isSettled = known.settled && isSame && known.place.block.hash === place.block.hash;
  const { seenMs: heardMs, told } = known;
  return replaced(invoice, known, { output, place, seenMs: heardMs, settled: isSettled, told });
}

/** The invoice after it was told whether a receipt of a payment is kept; the same object where that changes nothing. */
export function applyReceipt(invoice: Invoice, { cmx, block, isKept }: ReceiptInput): Invoice {
  const known = invoice.payments.find(({ output }) => output.cmx === cmx);
  if (known?.place.kind !== "mined" || known.place.block.hash !== block) return invoice;
  const { hasReceipt = false, ...rest } = known;
  if (hasReceipt === isKept) return invoice;
  return replaced(invoice, known, isKept ? { ...rest, hasReceipt: true } : rest);
}

function replaced(invoice: Invoice, known: InvoicePayment, after: InvoicePayment): Invoice {
  const payments = invoice.payments.map((payment) => (payment === known ? after : payment));
  return { ...invoice, payments };
}

/** Where a payment is after a fact; null where the fact changes nothing. */
function placeAfter(before: PaymentPlace | null, input: PaymentInput): PaymentPlace | null {
  switch (input.kind) {
    case "mined": {
      const isSame = before?.kind === "mined" && before.block.hash === input.block.hash;
      return isSame ? null : { kind: "mined", block: input.block };
    }
    case "orphaned": {
      const isThere = before?.kind === "mined" && before.block.hash === input.block;
      return isThere ? { kind: "lost" } : null;
    }
    case "waiting":
      return before === null || before.kind === "lost" ? { kind: "pool" } : null;
    case "gone":
      return before?.kind === "pool" ? { kind: "lost" } : null;
  }
}

/**
 * Whether a payment that was not known may pay the invoice. One of nothing does not. One from before the invoice was made does not: it paid whoever had the
 * address then. One from a block whose payments are already part of a sum is in it.
 */
function isWelcome(
  { terms, folded }: Invoice,
  { amount }: PaymentOutput,
  place: PaymentPlace,
): boolean {
  if (amount === 0n) return false;
  if (place.kind !== "mined") return place.kind === "pool";
  const { blueScore } = place.block;
  if (folded !== null && blueScore <= folded.upTo) return false;
  return blueScore + INVOICE_LIMITS.invoiceReorgMargin >= terms.createdBlueScore;
}
