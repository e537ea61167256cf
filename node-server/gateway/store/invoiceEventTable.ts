/** Events of invoices, one for each version, with the body that was made in the commit of the change: it never changes. */
import * as v from "valibot";
import type { InvoiceId, TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { InvoiceStatus } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import type { InvoiceEventType } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { invoiceStatus } from "@svc/shared/invoice/invoiceCodec.ts";
import { invoiceEventType } from "@svc/shared/invoice/invoiceEvent.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import {
  keysFrom,
  numberKey,
  pairsFrom,
  readNumberKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import { INVOICE_KEY_BYTES, invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** An event as it is sent. */
export type InvoiceEventRow = {
  readonly id: string;
  readonly type: InvoiceEventType;
  readonly createdMs: TimestampMs;
  readonly status: InvoiceStatus;
  readonly previousStatus: InvoiceStatus;
  /** JSON, as every receiver gets it. */
  readonly body: string;
};

const schema: v.GenericSchema<unknown, InvoiceEventRow> = v.object({
  id: v.string(),
  type: invoiceEventType,
  createdMs: fields.timestampMs,
  status: invoiceStatus,
  previousStatus: invoiceStatus,
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

  /** At most `limit` events of an invoice below a version, the newest first. */
  below(
    invoice: InvoiceId,
    version: number | null,
    limit: number,
  ): readonly (InvoiceEventRow & { readonly version: number })[] {
    const { from, to } = keysFrom(invoiceKey(invoice));
    const end = version === null ? to : keyOf(invoice, version);
    const table = GATEWAY_TABLES.events;
    const pairs = this.#store.range({ table, from, to: end, limit, reverse: true });
    return pairs.map(({ key }) => {
      const row = this.#rows.get(this.#store, key);
      if (row === undefined) throw this.#rows.corrupt("an event that is gone");
      return { ...row, version: Number(readNumberKey(key.subarray(INVOICE_KEY_BYTES)) ?? 0n) };
    });
  }

  /** Forgets the events of an invoice. */
  forget(batch: StoreBatch, invoice: InvoiceId): void {
    for (const { key } of pairsFrom(batch, GATEWAY_TABLES.events, invoiceKey(invoice))) {
      this.#rows.delete(batch, key);
    }
  }

  /** Writes the event of a version. */
  put(batch: StoreBatch, invoice: InvoiceId, version: number, row: InvoiceEventRow): void {
    this.#rows.put(batch, keyOf(invoice, version), row);
  }
}

function keyOf(invoice: InvoiceId, version: number): Uint8Array {
  return concatBytes(invoiceKey(invoice), numberKey(BigInt(version)));
}
