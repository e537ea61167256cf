/** Events of invoices, one for each version, with the body that was made in the commit of the change: it never changes. */
import * as v from "valibot";
import type { InvoiceId, TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { InvoiceEventType } from "@svc/shared/invoice/invoiceEvent.ts";
import { invoiceEventType } from "@svc/shared/invoice/invoiceEvent.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { keysFrom, numberKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** An event as it is sent. */
export type InvoiceEventRow = {
  readonly id: string;
  readonly type: InvoiceEventType;
  readonly createdMs: TimestampMs;
  /** JSON, as every receiver gets it. */
  readonly body: string;
};

const schema: v.GenericSchema<unknown, InvoiceEventRow> = v.object({
  id: v.string(),
  type: invoiceEventType,
  createdMs: fields.timestampMs,
  body: v.string(),
});

/** The events by invoice and version. Reads throw as those of `RowTable` do. */
export class InvoiceEventTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.events,
    name: "events",
    codec: jsonCodec(schema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The event that told a version, or undefined. */
  get(
    invoice: InvoiceId,
    version: number,
    reader: StoreReader = this.#store,
  ): InvoiceEventRow | undefined {
    return this.#rows.get(reader, keyOf(invoice, version));
  }

  /** At most `limit` events of an invoice behind a version. */
  after(invoice: InvoiceId, version: number, limit: number): readonly InvoiceEventRow[] {
    const { to } = keysFrom(invoiceKey(invoice));
    const from = keyOf(invoice, version + 1);
    return this.#rows.page(this.#store, { from, to, limit }).map(({ row }) => row);
  }

  /** Writes the event of a version. */
  put(batch: StoreBatch, invoice: InvoiceId, version: number, row: InvoiceEventRow): void {
    this.#rows.put(batch, keyOf(invoice, version), row);
  }
}

function keyOf(invoice: InvoiceId, version: number): Uint8Array {
  return concatBytes(invoiceKey(invoice), numberKey(BigInt(version)));
}
