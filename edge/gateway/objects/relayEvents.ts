/** Tells what an invoice's object has written to the list of invoices, to the deliveries of its merchant's webhooks, and to the queue. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { ToldEvent } from "@svc/shared/gateway/gatewayPorts.ts";
import { greenfieldBody } from "@svc/shared/gateway/greenfield/greenfieldBody.ts";
import {
  greenfieldEventId,
  greenfieldEventsOf,
} from "@svc/shared/gateway/greenfield/greenfieldEvents.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { DeliveryStore, type NewDelivery, type WebhookMessage } from "../deliveryStore.ts";
import { EndpointStore, type EndpointRow } from "../endpointStore.ts";
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
    const told = endpoints.map((endpoint) =>
      deliveriesOf(event, endpoint, { merchant, invoice: id }),
    );
    const made = (await Promise.all(told)).flat();
    messages.push(...(await deliveries.addAll(made, now)));
  }
  await queueWebhooks(WEBHOOKS, messages);
}

/** What a webhook is told of an event, in its form. */
async function deliveriesOf(
  event: ToldEvent,
  endpoint: EndpointRow,
  about: { readonly merchant: string; readonly invoice: string },
): Promise<readonly NewDelivery[]> {
  const { disabledBy, form, events: types, greenfieldEvents } = endpoint;
  const { id: eventId, type: eventType, body } = event;
  const place = event.version * EDGE_LIMITS.eventParts;
  const named = { ...about, endpoint: endpoint.id };
  if (disabledBy !== null) return [];
  if (form === "svc") {
    if (types !== null && !types.includes(eventType)) return [];
    const id = await deliveryIdOf(eventId, endpoint.id);
    return [{ ...named, eventId, eventType, body, id, place }];
  }
  const wanted = greenfieldEventsOf(body, about.merchant).filter(
    ({ type }) => greenfieldEvents === null || greenfieldEvents.includes(type),
  );
  return Promise.all(
    wanted.map(async (told): Promise<NewDelivery> => {
      const partId = greenfieldEventId(eventId, told);
      const deliveryId = await deliveryIdOf(partId, endpoint.id);
      const names = { deliveryId, webhookId: endpoint.id, original: null };
      const text = greenfieldBody(told.json, names);
      return {
        ...named,
        ...{ eventId: partId, eventType: told.type, body: text, id: deliveryId },
        place: place + told.part,
      };
    }),
  );
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
