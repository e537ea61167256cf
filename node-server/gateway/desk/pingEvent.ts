/** The event that tries a webhook: it carries no invoice. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { seconds } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { DeliveryPlace } from "../store/deliveryTable.ts";
import { deliveryIdOf } from "./deliveryId.ts";

/** Id, type and body of the ping of a delivery: the same whenever it is made. */
export function pingOf(place: DeliveryPlace, createdMs: TimestampMs) {
  const id = deliveryIdOf(place).replace("dlv_", "evt_");
  const type = "ping";
  const body = JSON.stringify({
    id,
    type,
    eventType: type,
    createdAt: seconds(createdMs),
    apiVersion: "v1",
    previousStatus: null,
    invoice: null,
    data: { invoice: null },
  });
  return { id, type, createdMs, body };
}
