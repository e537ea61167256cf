/**
 * An event of the gateway in the words of BTCPay's Greenfield API. It becomes none, one or several of theirs:
 *
 * | the gateway tells | Greenfield event |
 * |---|---|
 * | `invoice.created` | `InvoiceCreated` |
 * | `invoice.payment_received` | `InvoiceReceivedPayment` |
 * | payments that the change settled | `InvoicePaymentSettled`, one for each |
 * | `invoice.paid` | `InvoiceProcessing` |
 * | `invoice.confirmed`, `invoice.overpaid` | `InvoiceSettled` |
 * | `invoice.expired` | `InvoiceExpired` |
 * | `invoice.invalid`, and the merchant's mark `invalid` | `InvoiceInvalid` |
 *
 * Nothing else settles an order: a shop sees `InvoiceSettled` where the gateway's own webhook says `confirmed` or `overpaid`.
 */
import * as v from "valibot";
import { formatCoins } from "../../base/money.ts";
import type { InvoiceRecord } from "../../protocol/gateway/invoiceRecord.ts";
import type { payment } from "../../protocol/gateway/invoiceRecord.ts";
import { webhookEvent, type WebhookEvent } from "../../protocol/gateway/webhookEvent.ts";
import { coinOfAddress } from "./coinCode.ts";
import type { GreenfieldEventType } from "./greenfieldEventType.ts";
import { greenfieldMetadata, type JsonObject } from "./greenfieldMetadata.ts";

/** An event to tell: its JSON has everything but what names the delivery. */
export type GreenfieldEvent = {
  /** Its place among those that one event of the gateway becomes, from 0. */
  readonly part: number;
  readonly type: GreenfieldEventType;
  readonly json: string;
};

type PaymentRecord = v.InferOutput<typeof payment>;
type Told = readonly [GreenfieldEventType, JsonObject];

/** The events that tell the same as the JSON of an event of the gateway. `store` is the merchant's id. */
export function greenfieldEventsOf(body: string, store: string): readonly GreenfieldEvent[] {
  const event = v.parse(webhookEvent, JSON.parse(body));
  const { invoice, createdAt } = event;
  if (invoice === null) return [];
  const about = {
    storeId: store,
    invoiceId: invoice.id,
    metadata: greenfieldMetadata(invoice.metadata, invoice.orderId),
  };
  return [...paymentEvents(event, invoice), ...stateEvents(event, invoice)].map(
    ([type, more], part): GreenfieldEvent => {
      const json = JSON.stringify({ type, timestamp: createdAt, ...about, ...more });
      return { part, type, json };
    },
  );
}

/** The id of the event that such a part tells, made of that of the gateway's event. */
export function greenfieldEventId(event: string, { part }: GreenfieldEvent): string {
  return `${event}.${part}`;
}

function paymentEvents(event: WebhookEvent, invoice: InvoiceRecord): readonly Told[] {
  const told: Told[] = [];
  const { received, settled } = event;
  if (received !== null)
    told.push(["InvoiceReceivedPayment", paymentFields(received, invoice.address)]);
  for (const one of settled)
    told.push(["InvoicePaymentSettled", paymentFields(one, invoice.address)]);
  return told;
}

function paymentFields(record: PaymentRecord, address: string): JsonObject {
  const method = coinOfAddress(address);
  return {
    afterExpiration: record.late,
    paymentMethod: method,
    paymentMethodId: method,
    payment: greenfieldPayment(record, address),
  };
}

/** What the other interface calls the state of a payment. */
const PAYMENT_STATES = { pool: "Processing", mined: "Processing", orphaned: "Invalid" } as const;

/** A payment as lists and events have it. */
export function greenfieldPayment(
  record: Pick<
    PaymentRecord,
    "txid" | "outputIndex" | "firstSeenAt" | "amountSompi" | "settled" | "state"
  >,
  address: string,
): JsonObject {
  return {
    id: `${record.txid}-${record.outputIndex}`,
    receivedDate: record.firstSeenAt,
    value: formatCoins(record.amountSompi),
    // Whoever pays has paid the network's fee beside it.
    fee: "0",
    status: record.settled ? "Settled" : PAYMENT_STATES[record.state],
    destination: address,
  };
}

function stateEvents({ type, marking }: WebhookEvent, invoice: InvoiceRecord): readonly Told[] {
  const overPaid = invoice.overpaidSompi > 0n;
  const mark = invoice.marked?.as ?? null;
  if (marking && mark === "settled") {
    return [["InvoiceSettled", { manuallyMarked: true, overPaid }]];
  }
  if (marking && mark === "invalid") return [["InvoiceInvalid", { manuallyMarked: true }]];
  switch (type) {
    case "invoice.created":
      return [["InvoiceCreated", {}]];
    case "invoice.paid":
      return [["InvoiceProcessing", { overPaid }]];
    case "invoice.confirmed":
    case "invoice.overpaid":
      return [["InvoiceSettled", { manuallyMarked: false, overPaid: type === "invoice.overpaid" }]];
    case "invoice.expired":
      return mark === null ? [["InvoiceExpired", { partiallyPaid: invoice.paidSompi > 0n }]] : [];
    case "invoice.invalid":
      return mark === null ? [["InvoiceInvalid", { manuallyMarked: false }]] : [];
    default:
      return [];
  }
}
