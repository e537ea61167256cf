/** What is told about an invoice, and to whom it is news. */
import * as v from "valibot";
import type { InvoiceId, TimestampMs } from "../base/brand.ts";
import type { InvoiceStatus } from "../protocol/gateway/invoiceRecord.ts";
import { INVOICE_EVENT_TYPES, type InvoiceEventType } from "../protocol/gateway/webhookEvent.ts";
import type { Invoice, InvoicePayment } from "./invoice.ts";

/** Schema of a type of events. */
export const invoiceEventType = v.picklist(INVOICE_EVENT_TYPES);

/** An event: an invoice as it was told with one of its versions. */
export type InvoiceEvent = {
  /** Made of invoice and version, so that one id has one content. */
  readonly id: string;
  readonly type: InvoiceEventType;
  /** The invoice in this version. */
  readonly invoice: Invoice;
  readonly previousStatus: InvoiceStatus;
  readonly createdMs: TimestampMs;
  /** The payment that `invoice.payment_received` tells of; null for every other type. */
  readonly received: InvoicePayment | null;
  /** The payments that the change settled. One event of a change has them, behind those of payments that it brought. */
  readonly settled: readonly InvoicePayment[];
  /** The change was the merchant's own word. The last event of the change says so. */
  readonly marking: boolean;
};

/** The type that tells a change to a status. */
export const STATUS_EVENTS: Readonly<Record<InvoiceStatus, InvoiceEventType>> = {
  new: "invoice.updated",
  partial: "invoice.partial",
  paid: "invoice.paid",
  confirmed: "invoice.confirmed",
  overpaid: "invoice.overpaid",
  expired: "invoice.expired",
  paidLate: "invoice.paid_late",
};

/** The id of the event that tells a version of an invoice: `evt_`, the invoice's 32 digits, `_` and the version. */
export function eventIdOf(invoice: InvoiceId, version: number): string {
  return `evt_${invoice.slice("inv_".length)}_${version}`;
}

/** The event that tells of an invoice that was just made. */
export function createdEvent(invoice: Invoice): InvoiceEvent {
  const { id, createdMs } = invoice.terms;
  return {
    id: eventIdOf(id, invoice.version),
    type: "invoice.created",
    invoice,
    previousStatus: invoice.told.status,
    createdMs,
    received: null,
    settled: [],
    marking: false,
  };
}
