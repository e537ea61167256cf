import type { Order } from "@vendure/core";
import { isFinal, type InvoiceRecord } from "../gateway/invoiceRecord.ts";
import { priceText } from "../base/money.ts";

/** Code of the payment handler. */
export const HANDLER_CODE = "svc-gateway";

/** What a payment is while its invoice is so: a full payment that waits for its depth is `Authorized`, and only a confirmed one `Settled`. */
export function paymentStateOf(record: InvoiceRecord): "Created" | "Authorized" | "Settled" {
  if (isFinal(record)) return "Settled";
  return record.status === "paid" ? "Authorized" : "Created";
}

/** Whether something was paid. */
export function hasPayment({ paidSompi }: InvoiceRecord): boolean {
  return paidSompi > 0n;
}

/** An amount of an order with its currency, such as `24.00 EUR`. Null for no amount. */
export function priceOf(order: Order, minor: number, precision: number): string | null {
  const text = priceText(minor, precision);
  return text === null ? null : `${text} ${order.currencyCode}`;
}
