/** The event that a delivery tells, with the body that it sends: in the form of its webhook. */
import { greenfieldBody } from "@svc/shared/gateway/greenfield/greenfieldBody.ts";
import { greenfieldEventId } from "@svc/shared/gateway/greenfield/greenfieldEvents.ts";
import type { DeliveryPlace, DeliveryRow } from "../store/deliveryTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import { deliveryIdOf } from "./deliveryId.ts";
import { pingOf } from "./pingEvent.ts";

/** An event as it is sent. */
export type ToldEvent = { readonly id: string; readonly type: string; readonly body: string };

/** The event of a delivery, the same whenever it is asked for; null where it is gone. */
export function toldEventOf(
  { events }: Pick<GatewayStore, "events">,
  place: DeliveryPlace,
  { event, createdMs, told, again }: DeliveryRow,
): ToldEvent | null {
  const row = event === null ? pingOf(place, createdMs) : events.get(event.invoice, event.version);
  if (row === undefined) return null;
  if (told === null) return row;
  const { endpoint } = place;
  const original = again === null ? null : deliveryIdOf({ endpoint, number: again });
  const names = { deliveryId: deliveryIdOf(place), webhookId: endpoint, original };
  return {
    id: greenfieldEventId(row.id, told),
    type: told.type,
    body: greenfieldBody(told.json, names),
  };
}
