import { fieldsOf, isCount, isInvoiceId, isName } from "../gateway/invoiceRecord.ts";

/** The event in the body of a webhook: which invoice to look at. Nothing else of it is used. */
export type WebhookEvent = {
  readonly id: string;
  /** Null for an event that is about no invoice, such as `ping`. */
  readonly invoice: string | null;
  /** Version of the invoice that the event tells of; 0 where it does not say. */
  readonly version: number;
};

/** Reads a body; null for anything that is no event. */
export function parseEvent(body: Uint8Array): WebhookEvent | null {
  const fields = fieldsOf(jsonOf(body));
  if (fields === null) return null;
  const { id, type, eventType = type } = fields;
  if (!isName(id) || !isName(type) || eventType !== type) return null;
  const told = fields["invoice"] ?? fieldsOf(fields["data"])?.["invoice"] ?? null;
  if (told === null) return { id, invoice: null, version: 0 };
  const { id: invoice, version = 0 } = fieldsOf(told) ?? {};
  return isInvoiceId(invoice) && isCount(version) ? { id, invoice, version } : null;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return null;
  }
}
