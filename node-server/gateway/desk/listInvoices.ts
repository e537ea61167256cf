/**
 * A part of a merchant's list of invoices. What does not fit the filter is passed over; so many rows are looked at for one answer,
 * and its cursor goes on from there, however few were found.
 */
import type { MerchantId } from "@svc/shared/base/brand.ts";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import type { InvoiceFilter, Page } from "@svc/shared/gateway/gatewayPorts.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { readTimeCursor, timeCursor } from "@svc/shared/protocol/contract/timeCursor.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { InvoiceTable, ListPlace } from "../store/invoiceTable.ts";

/** What is asked for. */
export type ListQuestion = {
  readonly merchant: MerchantId;
  readonly filter: InvoiceFilter;
  /** Of an answer before; null for the beginning. */
  readonly cursor: string | null;
  readonly limit: number;
};

const CURSOR = { prefix: "inv", digits: 19, field: "cursor" };

/** Answers it. Throws `api/bad-field` for a cursor that is none. */
export function listInvoices(
  table: Pick<InvoiceTable, "list" | "listOrder">,
  { merchant, filter, cursor, limit }: ListQuestion,
): Page<Invoice> {
  const [orderId] = filter.orderIds;
  const isOneOrder = orderId !== undefined && filter.orderIds.length === 1;
  const read = (after: ListPlace | null, count: number): readonly Invoice[] =>
    isOneOrder
      ? table.listOrder(merchant, orderId, after, count)
      : table.list(merchant, after, count);
  const rows: Invoice[] = [];
  let place = cursor === null ? startOf(filter) : placeOf(cursor);
  for (let looked = 0; looked < GATEWAY_LIMITS.listLook;) {
    const count = Math.min(GATEWAY_LIMITS.listLook - looked, Math.max(limit, LOOK_AT_ONCE));
    const page = read(place, count);
    looked += page.length;
    for (const invoice of page) {
      place = { createdMs: invoice.terms.createdMs, id: invoice.terms.id };
      if (filter.fromMs !== null && invoice.terms.createdMs < filter.fromMs) {
        return { rows, next: null };
      }
      if (!fits(invoice, filter)) continue;
      rows.push(invoice);
      if (rows.length === limit) return { rows, next: cursorOf(place) };
    }
    if (page.length < count) return { rows, next: null };
  }
  return { rows, next: place === null ? null : cursorOf(place) };
}

const LOOK_AT_ONCE = 100;
const LAST_ID = asInvoiceId(`inv_${"f".repeat(32)}`);

/** What was made before `toMs`. */
function startOf({ toMs }: InvoiceFilter): ListPlace | null {
  return toMs === null || toMs === 0n ? null : { createdMs: toMs - 1n, id: LAST_ID };
}

function fits(
  invoice: Invoice,
  { orderIds, statuses, text, withArchived }: InvoiceFilter,
): boolean {
  const { terms, told, archived } = invoice;
  if (archived && !withArchived) return false;
  if (statuses.length > 0 && !statuses.includes(told.status)) return false;
  if (orderIds.length > 0 && !orderIds.includes(terms.orderId)) return false;
  if (text === null) return true;
  const wanted = text.toLowerCase();
  const places = [terms.id, terms.orderId, terms.address.text, ...Object.values(terms.metadata)];
  return places.some((place) => place.toLowerCase().includes(wanted));
}

function cursorOf({ createdMs, id }: ListPlace): string {
  return timeCursor(createdMs, id);
}

function placeOf(cursor: string): ListPlace {
  const { ms, id } = readTimeCursor(cursor, CURSOR);
  return { createdMs: ms, id: asInvoiceId(id) };
}
