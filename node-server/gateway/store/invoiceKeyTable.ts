/**
 * Idempotency keys of merchants: the invoice that a key made. A key names its invoice for as long as that exists, so it never makes a
 * second one (corrections T12).
 */
import * as v from "valibot";
import type { Hash32, InvoiceId, MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, textKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** What a key was used for. */
export type InvoiceKeyRow = {
  /** SHA-256 of the request. */
  readonly bodyHash: Hash32;
  readonly invoice: InvoiceId;
  readonly createdMs: TimestampMs;
};

const schema: v.GenericSchema<unknown, InvoiceKeyRow> = v.object({
  bodyHash: fields.hash32,
  invoice: fields.invoiceId,
  createdMs: fields.timestampMs,
});

/** The keys by merchant. Reads throw as those of `RowTable` do. */
export class InvoiceKeyTable {
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.idempotency,
    name: "idempotency",
    codec: jsonCodec(schema),
    seal: null,
  });

  /** What a merchant's key was used for, or undefined. */
  get(reader: StoreReader, merchant: MerchantId, key: string): InvoiceKeyRow | undefined {
    return this.#rows.get(reader, keyOf(merchant, key));
  }

  /** Writes what a key is used for. */
  put(batch: StoreBatch, merchant: MerchantId, key: string, row: InvoiceKeyRow): void {
    this.#rows.put(batch, keyOf(merchant, key), row);
  }
}

function keyOf(merchant: MerchantId, key: string): Uint8Array {
  return concatBytes(nameKey(merchant), textKey(key));
}
