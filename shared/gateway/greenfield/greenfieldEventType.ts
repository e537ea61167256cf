/** Types of events in the form of BTCPay's Greenfield API, and the two forms that a webhook may have. */

/** What is told of an invoice. */
export const GREENFIELD_EVENT_TYPES = [
  "InvoiceCreated",
  "InvoiceReceivedPayment",
  "InvoicePaymentSettled",
  "InvoiceProcessing",
  "InvoiceExpired",
  "InvoiceSettled",
  "InvoiceInvalid",
] as const;

/** A type of events. */
export type GreenfieldEventType = (typeof GREENFIELD_EVENT_TYPES)[number];

/** Whether a word is a type of events. */
export function isGreenfieldEventType(text: string): text is GreenfieldEventType {
  return GREENFIELD_EVENT_TYPES.some((type) => type === text);
}
