/** Tells what an invoice's object has written to the list of invoices, to the deliveries of its merchant's webhooks, and to the queue. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { ToldEvent } from "@svc/shared/gateway/gatewayPorts.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import { DeliveryStore, type WebhookMessage } from "../deliveryStore.ts";
import { EndpointStore } from "../endpointStore.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import { writeInvoiceRow } from "../invoiceList.ts";
import { queueWebhooks } from "../webhookQueue.ts";

const ID_DIGITS = 32;

/** Tells it. May be repeated: rows that are there stay as they are. Rejects with what D1 and the queue say. */
export async function relayEvents(
  { DB, WEBHOOKS }: Pick<GatewayEnv, "DB" | "WEBHOOKS">,
  invoice: Invoice,
  events: readonly ToldEvent[],
  now: TimestampMs,
): Promise<void> {
  await listInvoice(DB, invoice);
  const { id, merchant } = invoice.terms;
  const deliveries = new DeliveryStore(DB);
  const endpoints = await new EndpointStore(DB).of(merchant);
  const messages: WebhookMessage[] = [];
  for (const event of events) {
    const { id: eventId, type: eventType, body } = event;
    const wanted = endpoints.filter(
      ({ disabledBy, events: types }) =>
        disabledBy === null && (types === null || types.includes(eventType)),
    );
    const made = wanted.map(async (endpoint) => ({
      ...{ merchant, endpoint: endpoint.id, eventId, eventType, body, invoice: id },
      id: await deliveryIdOf(eventId, endpoint.id),
    }));
    messages.push(...(await deliveries.addAll(await Promise.all(made), now)));
  }
  await queueWebhooks(WEBHOOKS, messages);
}

async function listInvoice(db: D1Database, invoice: Invoice): Promise<void> {
  const { terms, told, version, updatedMs, archived } = invoice;
  const { id, orderId, address, metadata } = terms;
  const row = {
    ...{ merchant: terms.merchant, id, orderId, status: told.status, amount: terms.amount },
    ...{ paid: told.paid, version, createdMs: terms.createdMs, updatedMs, archived },
    expiresMs: terms.expiresMs,
    json: encodeInvoice(invoice),
  };
  const search = [id, orderId, address.text, ...Object.values(metadata)].join("\n");
  await writeInvoiceRow(db, row, search);
}

/** Made of event and webhook: a delivery that is made again is the same one. */
async function deliveryIdOf(event: string, endpoint: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${event} ${endpoint}`);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `dlv_${encodeHex(new Uint8Array(digest)).slice(0, ID_DIGITS)}`;
}
