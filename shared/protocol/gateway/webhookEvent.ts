/** The body of a webhook of the gateway, for whoever sends and whoever receives. */
import * as v from "valibot";
import { flagOf, integerOf, text, textOf, word } from "../contract/answerFields.ts";
import { CONFIRMED_INVOICE, EVENT_ID } from "./exampleRecords.ts";
import { INVOICE_STATUSES, invoice, payment } from "./invoiceRecord.ts";

/** What is told of an invoice. */
export const INVOICE_EVENT_TYPES = [
  "invoice.created",
  "invoice.payment_received",
  "invoice.partial",
  "invoice.paid",
  "invoice.confirmed",
  "invoice.overpaid",
  "invoice.expired",
  "invoice.paid_late",
  "invoice.invalid",
  "invoice.updated",
] as const;

/** What is told at all: a ping carries no invoice. */
export const EVENT_TYPES = [...INVOICE_EVENT_TYPES, "ping"] as const;

/** A type of events that an endpoint may ask for. */
export type InvoiceEventType = (typeof INVOICE_EVENT_TYPES)[number];

/** Whether a word is a type of events. */
export function isInvoiceEventType(text: string): text is InvoiceEventType {
  return INVOICE_EVENT_TYPES.some((type) => type === text);
}

const told = v.optional(v.nullable(invoice), null);

/**
 * The body. `type` and `eventType` have the same value, and so have `invoice` and `data.invoice`. The type is any text: a receiver
 * passes over those that it does not know.
 */
export const webhookEvent = v.object({
  id: textOf("Names the event: the same one for each try, so that a receiver acts once."),
  type: textOf(
    `One of ${EVENT_TYPES.map((type) => `\`${type}\``).join(", ")}; later ones may be added.`,
  ),
  eventType: v.optional(textOf("The same as `type`."), ""),
  createdAt: integerOf("When it happened, in Unix seconds."),
  apiVersion: v.optional(text, "v1"),
  /** The record as it was then. Null in a ping. */
  invoice: told,
  data: v.optional(v.object({ invoice: told }), { invoice: null }),
  previousStatus: v.optional(v.nullable(word(INVOICE_STATUSES)), null),
  /** The payment that `invoice.payment_received` tells of. */
  received: v.optional(v.nullable(payment), null),
  settled: v.optional(
    v.pipe(v.array(payment), v.description("Payments that the change settled.")),
    [],
  ),
  marking: v.optional(flagOf("The change was the merchant's own word."), false),
});

/** A body as a receiver reads it. */
export type WebhookEvent = v.InferOutput<typeof webhookEvent>;

/** An example of a body. */
export const EXAMPLE_EVENT = {
  id: EVENT_ID,
  type: "invoice.confirmed",
  eventType: "invoice.confirmed",
  createdAt: CONFIRMED_INVOICE.updatedAt,
  apiVersion: "v1",
  invoice: CONFIRMED_INVOICE,
  data: { invoice: CONFIRMED_INVOICE },
  previousStatus: "paid",
  received: null,
  settled: [],
  marking: false,
} as const;
