/** What is told of invoices: events are written with the change that they tell, and so are their deliveries to webhooks. */
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { eventBodyOf } from "@svc/shared/gateway/eventBodyOf.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { InvoiceEvent } from "@svc/shared/invoice/invoiceEvent.ts";
import {
  greenfieldEventsOf,
  type GreenfieldEvent,
} from "@svc/shared/gateway/greenfield/greenfieldEvents.ts";
import type { EndpointRow } from "../store/endpointTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";

/** Dependencies. */
export type DeskEventsParts = {
  readonly store: Pick<GatewayStore, "events" | "endpoints" | "deliveries">;
  /** What records say besides their invoice, now. */
  readonly place: () => RecordPlace;
  /** Deliveries were added: the sender may begin when the commit is done. */
  readonly onDeliveries: () => void;
};

/** Writes events down. */
export class DeskEvents {
  readonly #parts: DeskEventsParts;

  constructor(parts: DeskEventsParts) {
    this.#parts = parts;
  }

  /** Adds an event to the commit of its change, and a delivery to each webhook that wants it. */
  tell(batch: StoreBatch, event: InvoiceEvent): void {
    const { store, place, onDeliveries } = this.#parts;
    const { id, type, createdMs, invoice, previousStatus } = event;
    const { id: invoiceId, merchant } = invoice.terms;
    const body = eventBodyOf(event, place());
    const { status } = invoice.told;
    const row = { id, type, createdMs, status, previousStatus, body };
    store.events.put(batch, invoiceId, invoice.version, row);
    const inGreenfield = once(() => greenfieldEventsOf(body, merchant));
    for (const endpoint of store.endpoints.of(merchant, batch)) {
      for (const told of wanted(endpoint, type, inGreenfield)) {
        store.deliveries.add(batch, endpoint.id, {
          ...{ merchant, event: { invoice: invoiceId, version: invoice.version }, told },
          ...{ state: "waiting", attempts: 0, createdMs, dueMs: createdMs },
          ...{ error: null, again: null },
        });
        onDeliveries();
      }
    }
  }
}

/** What a webhook is told of an event: null is the event as it is. */
function wanted(
  { disabledBy, form, events, greenfieldEvents }: EndpointRow,
  type: InvoiceEvent["type"],
  inGreenfield: () => readonly GreenfieldEvent[],
): readonly (GreenfieldEvent | null)[] {
  if (disabledBy !== null) return [];
  if (form === "svc") return events === null || events.includes(type) ? [null] : [];
  return inGreenfield().filter(
    (told) => greenfieldEvents === null || greenfieldEvents.includes(told.type),
  );
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
