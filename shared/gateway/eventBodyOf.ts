/** The body of an event as webhooks send it (gateway sheet 6.2, corrections B14). It is made once, with the change that it tells. */
import type { InvoiceEvent } from "../invoice/invoiceEvent.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import { invoiceRecordOf, paymentOf, seconds, type RecordPlace } from "./invoiceRecordOf.ts";

/** The JSON text of an event. */
export function eventBodyOf(event: InvoiceEvent, place: RecordPlace): string {
  const { id, type, previousStatus, createdMs, received, marking } = event;
  const invoice = invoiceRecordOf(event.invoice, place);
  return JSON.stringify({
    id,
    type,
    eventType: type,
    createdAt: seconds(createdMs),
    apiVersion: "v1",
    previousStatus,
    received: received === null ? null : paymentOf(event.invoice, received, place),
    settled: event.settled
      .slice(-MERCHANT_LIMITS.paymentsShown)
      .map((payment) => paymentOf(event.invoice, payment, place)),
    marking,
    invoice,
    data: { invoice },
  });
}
