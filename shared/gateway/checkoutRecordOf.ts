/**
 * What a payer is shown of an invoice (gateway sheet 7.4): whoever knows its id may read it. It never has the order number, the
 * metadata or a transaction.
 */
import { assessInvoice } from "../invoice/assessInvoice.ts";
import { confirmationsOf } from "../invoice/confirmationsOf.ts";
import type { Invoice } from "../invoice/invoice.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import {
  paymentUriOf,
  receiptUrlOf,
  seconds,
  withReceipts,
  type RecordPlace,
} from "./invoiceRecordOf.ts";

/** How a merchant's pages look, and what they are called. */
export type CheckoutLook = {
  readonly storeName: string;
  readonly theme: {
    readonly scheme: "auto" | "light" | "dark";
    readonly accent: string | null;
  };
  /** Null for the browser's. */
  readonly language: string | null;
};

/** The record, as JSON. */
export function checkoutRecordOf(invoice: Invoice, place: RecordPlace, look: CheckoutLook) {
  const { terms } = invoice;
  const now = assessInvoice(invoice, place.nowMs);
  const isFinal = now.status === "confirmed" || now.status === "overpaid";
  const least = terms.amount - terms.policy.toleranceUnder;
  return {
    id: terms.id,
    status: now.status,
    amountSompi: String(terms.amount),
    dueSompi: String(now.due),
    paidSompi: String(now.paid),
    seenSompi: String(now.seen),
    overpaidSompi: String(now.overpaid),
    address: terms.address.text,
    paymentUri: paymentUriOf(invoice, place.nowMs),
    settled: now.settled >= least,
    late: now.late,
    expired: now.expired,
    canTopUp: canTopUp(invoice, place.nowMs),
    requiredBlueScore: Number(terms.policy.requiredBlueScore),
    confirmations: Number(confirmationsOf(invoice, place.tip)),
    receipts: withReceipts(invoice).length,
    receiptUrls: receiptUrlsOf(invoice, place),
    storeName: look.storeName,
    price: terms.quote === null ? null : priceOf(terms.quote),
    redirectUrl: isFinal || now.expired ? redirectOf(invoice) : null,
    theme: look.theme,
    language: terms.language ?? look.language,
    livemode: place.livemode,
    network: place.network,
    version: invoice.version,
    expiresAt: seconds(terms.expiresMs),
    serverTime: seconds(place.nowMs),
  } as const;
}

/** Where the payer finds the newest receipts. */
function receiptUrlsOf(invoice: Invoice, place: RecordPlace): readonly string[] {
  const newest = withReceipts(invoice).slice(-MERCHANT_LIMITS.receiptRows).toReversed();
  return newest.map(({ output }) => receiptUrlOf(place, "checkout", invoice.terms.id, output.cmx));
}

/** Whether a payer may ask for more time: he paid a part of it, and the rest did not come in time. */
export function canTopUp(invoice: Invoice, nowMs: bigint): boolean {
  const { status, expired } = assessInvoice(invoice, nowMs);
  return status === "partial" && expired && invoice.mark === null;
}

/** Where the payer goes on, its placeholders filled in. It proves no payment. */
function redirectOf({ terms }: Invoice): string | null {
  return (
    terms.redirectUrl
      ?.replaceAll("{InvoiceId}", encodeURIComponent(terms.id))
      .replaceAll("{OrderId}", encodeURIComponent(terms.orderId)) ?? null
  );
}

function priceOf({ currency, value }: { readonly currency: string; readonly value: string }) {
  return { currency, value };
}
