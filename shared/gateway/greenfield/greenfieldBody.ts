/** The body of a delivery in the form of BTCPay's Greenfield API: an event, and what names the delivery. It is the same at each try. */
import * as v from "valibot";
import { parseExactJson } from "../../protocol/contract/numberText.ts";
import { GREENFIELD_EVENT_TYPES } from "./greenfieldEventType.ts";

/** What names a delivery. */
export type GreenfieldDelivery = {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** The delivery whose event its merchant asked for again; null for a first one. */
  readonly original: string | null;
};

const object = v.record(v.string(), v.unknown());

/** The JSON text of an event in a delivery. `json` is that of an event, or of a body before: its delivery is replaced. */
export function greenfieldBody(
  json: string,
  { deliveryId, webhookId, original }: GreenfieldDelivery,
): string {
  const event = v.parse(object, parseExactJson(json));
  return JSON.stringify({
    ...event,
    deliveryId,
    webhookId,
    originalDeliveryId: original ?? deliveryId,
    isRedelivery: original !== null,
  });
}

/** Whether a body is of a delivery for which its merchant asked. */
export function isRedelivery(body: string): boolean {
  return v.parse(object, JSON.parse(body))["isRedelivery"] === true;
}

/** The event that tries a webhook. It tells of an invoice that nobody has: BTCPay's own test has such a name, too. */
export function greenfieldTest(store: string, mark: string, timestamp: number): string {
  const [type] = GREENFIELD_EVENT_TYPES;
  const invoiceId = `__test__${mark}__test__`;
  return JSON.stringify({ type, timestamp, storeId: store, invoiceId, metadata: {} });
}
