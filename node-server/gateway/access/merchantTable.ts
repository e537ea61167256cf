/** The merchants of a gateway, and what holds for invoices of theirs that do not say otherwise. */
import * as v from "valibot";
import type { MerchantId, TimestampMs, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { InvoicePolicy } from "@svc/shared/invoice/invoice.ts";
import { invoicePolicy } from "@svc/shared/invoice/invoiceCodec.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { keyAfter, keysFrom, nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { ACCESS_TABLES } from "./accessLayout.ts";

/** The wallet that pays a merchant's refunds. */
export type MerchantPayout = {
  /** Where its daemon (`svc walletd`) listens. */
  readonly walletdUrl: string;
  /** Path of the file with a scoped token of the wallet that may `view` and `spend`. */
  readonly tokenFile: string;
  /** Path of the file with the bearer token of a daemon that serves the public; null for one that asks for none. */
  readonly bearerFile: string | null;
};

/** A merchant. */
export type MerchantRow = {
  readonly id: MerchantId;
  /** Name of the shop, as payers read it. */
  readonly name: string;
  /** The viewing key whose addresses its invoices have. Several merchants may have one. */
  readonly key: ViewingKeyId;
  readonly policy: InvoicePolicy;
  /** Seconds that an invoice has to be paid in. */
  readonly expiresInS: number;
  /** Origins whose pages may show the checkout in a frame. */
  readonly frameOrigins: readonly string[];
  readonly language: string | null;
  /** Null for none: refunds that are approved wait. */
  readonly payout: MerchantPayout | null;
  readonly createdMs: TimestampMs;
  /** It gets no new invoices, and those that it has go on; null while it is open. */
  readonly closedMs: TimestampMs | null;
};

const schema: v.GenericSchema<unknown, MerchantRow> = v.object({
  id: fields.merchantId,
  name: v.string(),
  key: fields.viewingKeyId,
  policy: invoicePolicy,
  expiresInS: fields.u32,
  frameOrigins: v.array(v.string()),
  language: v.nullable(v.string()),
  // Merchants that were added before there were refunds have none.
  payout: v.optional(
    v.nullable(
      v.object({
        walletdUrl: v.string(),
        tokenFile: v.string(),
        // Wallets that were named before had none.
        bearerFile: v.optional(v.nullable(v.string()), null),
      }),
    ),
    null,
  ),
  createdMs: fields.timestampMs,
  closedMs: v.nullable(fields.timestampMs),
});

/** The merchants by their ids. Reads throw as those of `RowTable` do. */
export class MerchantTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: ACCESS_TABLES.merchants,
    name: "merchants",
    codec: jsonCodec(schema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A merchant, or undefined. */
  get(id: MerchantId, reader: StoreReader = this.#store): MerchantRow | undefined {
    return this.#rows.get(reader, nameKey(id));
  }

  /** All merchants. */
  all(reader: StoreReader = this.#store): readonly MerchantRow[] {
    return [...this.#rows.from(reader, Uint8Array.of())].map(({ row }) => row);
  }

  /** All merchants, at most `limit` at a time. What is written meanwhile, and lies ahead, is among them. */
  *pages(limit: number): Generator<readonly MerchantRow[], void> {
    const { from: first, to } = keysFrom(Uint8Array.of());
    for (let from = first; ;) {
      const page = this.#rows.page(this.#store, { from, to, limit });
      yield page.map(({ row }) => row);
      const last = page.at(-1);
      if (last === undefined || page.length < limit) return;
      from = keyAfter(last.key);
    }
  }

  /** Writes a merchant. */
  put(batch: StoreBatch, row: MerchantRow): void {
    this.#rows.put(batch, nameKey(row.id), row);
  }
}
