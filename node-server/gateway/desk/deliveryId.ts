/** Ids of deliveries: `dlv_`, 16 hex digits of the webhook's id, and the number of the delivery as 16 more. */
import type { DeliveryPlace } from "../store/deliveryTable.ts";

const FORM = /^dlv_([0-9a-f]{16})([0-9a-f]{16})$/;

/** The id of a delivery. */
export function deliveryIdOf({ endpoint, number }: DeliveryPlace): string {
  return `dlv_${markOf(endpoint)}${number.toString(16).padStart(16, "0")}`;
}

/** The place that an id names among these webhooks; null for another text. */
export function deliveryPlaceOf(id: string, endpoints: readonly string[]): DeliveryPlace | null {
  const [, mark, number] = FORM.exec(id) ?? [];
  const endpoint = endpoints.find((candidate) => markOf(candidate) === mark);
  if (endpoint === undefined || number === undefined) return null;
  return { endpoint, number: BigInt(`0x${number}`) };
}

function markOf(endpoint: string): string {
  return endpoint.slice("wh_".length, "wh_".length + 16);
}
