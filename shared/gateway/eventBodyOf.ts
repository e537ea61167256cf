/** The body of an event as webhooks send it (gateway sheet 6.2, corrections B14). It is made once, with the change that it tells. */
import type { InvoiceEvent } from "../invoice/invoiceEvent.ts";
import { invoiceRecordOf, seconds, type RecordPlace } from "./invoiceRecordOf.ts";

/** The JSON text of an event. */
export function eventBodyOf(event: InvoiceEvent, place: RecordPlace): string {
  const { id, type, previousStatus, createdMs } = event;
  const invoice = invoiceRecordOf(event.invoice, place);
  return JSON.stringify({
    id,
    type,
    eventType: type,
    createdAt: seconds(createdMs),
    apiVersion: "v1",
    previousStatus,
    invoice,
    data: { invoice },
  });
}
