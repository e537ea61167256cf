/**
 * More time for an invoice that was not paid in time. What is due of a price is quoted anew: the amount is what was paid, and what the
 * rest costs now.
 */
import { asSompi, type TimestampMs } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { assessInvoice } from "../../invoice/assessInvoice.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import type { InvoiceInput } from "../../invoice/invoiceInput.ts";
import type { PricePort } from "../pricePort.ts";
import { quotedAmount } from "./quotedAmount.ts";

/** The change, and the check that it still fits the invoice when it is made. */
export type Extension = {
  readonly input: InvoiceInput;
  /** Throws `gateway/wrong-state`. */
  readonly allow: (invoice: Invoice) => void;
};

/** Makes the change. Rejects with `gateway/wrong-state` for an invoice that is covered or marked, `gateway/price-stale`. */
export async function extensionOf(
  invoice: Invoice,
  prices: PricePort,
  { nowMs, expiresMs }: { readonly nowMs: TimestampMs; readonly expiresMs: TimestampMs },
): Promise<Extension> {
  const allow = (now: Invoice): void => {
    const { status, expired } = assessInvoice(now, nowMs);
    const fits = expired && now.mark === null && now.told.paid === invoice.told.paid;
    if (!fits) throw new SvcError("gateway/wrong-state", { status });
  };
  allow(invoice);
  const { amount, quote } = await newAmount(invoice, prices);
  return { input: { kind: "extend", expiresMs, amount, quote }, allow };
}

/** Of a price the part that is due costs what it costs now; an amount in coins stays what it is. */
async function newAmount(invoice: Invoice, prices: PricePort) {
  const { terms } = invoice;
  if (terms.quote === null) return { amount: terms.amount, quote: null };
  const fresh = await quotedAmount(terms.quote, prices);
  const { paid } = invoice.told;
  const left = terms.amount > paid ? terms.amount - paid : 0n;
  // The share of the price that is not paid yet, at the new rate, rounded up.
  const due = (fresh.amount * left + terms.amount - 1n) / terms.amount;
  return { amount: asSompi(paid + due), quote: fresh.quote };
}
