/** The records of the gateway API that documents describe once, by the names that they have there. */
import { checkoutRecord } from "./checkoutRecord.ts";
import { invoice, invoiceEvent, payment, quote } from "./invoiceRecord.ts";
import { claim, refund } from "./refundRecord.ts";
import { sale } from "./saleRecord.ts";
import { webhookEvent } from "./webhookEvent.ts";
import { delivery, webhook } from "./webhookRecord.ts";

/** The schemas. */
export const GATEWAY_RECORDS = {
  Invoice: invoice,
  Payment: payment,
  Quote: quote,
  InvoiceEvent: invoiceEvent,
  Checkout: checkoutRecord,
  Refund: refund,
  Claim: claim,
  Webhook: webhook,
  Delivery: delivery,
  Event: webhookEvent,
  Sale: sale,
} as const;
