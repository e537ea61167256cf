/** What is told of invoices: events are written with the change that they tell, and so are their deliveries to webhooks. */
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { eventBodyOf } from "@svc/shared/gateway/eventBodyOf.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { InvoiceEvent } from "@svc/shared/invoice/invoiceEvent.ts";
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
    for (const endpoint of store.endpoints.of(merchant, batch)) {
      if (!wants(endpoint, type)) continue;
      store.deliveries.add(batch, endpoint.id, {
        merchant,
        event: { invoice: invoiceId, version: invoice.version },
        state: "waiting",
        attempts: 0,
        createdMs,
        dueMs: createdMs,
        error: null,
        again: null,
      });
      onDeliveries();
    }
  }
}

function wants({ disabledBy, events }: EndpointRow, type: InvoiceEvent["type"]): boolean {
  return disabledBy === null && (events === null || events.includes(type));
}
