/**
 * Whether an event in the form of BTCPay's Greenfield API says what is no longer so. Such events have no version: a receiver that was down
 * and gets an earlier one behind a later one would take it for news, and put a paid order back. So what comes late is sent only while
 * it holds; whatever took its place has an event of its own.
 */
import type { TimestampMs } from "../../base/brand.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import type { GreenfieldEventType } from "./greenfieldEventType.ts";
import { GATEWAY_RETRIES } from "../retrySchedule.ts";
import { greenfieldState } from "./greenfieldInvoice.ts";

/** Whether a try comes late: one before it failed, or as much time has passed as if it had. */
export function isLateTry(
  { attempts, createdMs }: { readonly attempts: number; readonly createdMs: TimestampMs },
  nowMs: bigint,
): boolean {
  return attempts > 0 || nowMs - createdMs >= BigInt(GATEWAY_RETRIES.pausesMs[0]);
}

/** Whether an event is outdated for an invoice as it is now. */
export function isOutdated(type: GreenfieldEventType, invoice: Invoice, nowMs: bigint): boolean {
  const { status } = greenfieldState(invoice, nowMs);
  switch (type) {
    case "InvoiceProcessing":
      return status !== "Processing";
    case "InvoiceExpired":
      return status !== "Expired";
    case "InvoiceSettled":
      return status !== "Settled";
    case "InvoiceInvalid":
    case "InvoiceReceivedPayment":
      return status === "Settled";
    case "InvoiceCreated":
    case "InvoicePaymentSettled":
      return false;
  }
}
