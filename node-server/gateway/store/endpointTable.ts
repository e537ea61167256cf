/** Webhooks of merchants: where events go, which of them, and with what they are signed. */
import * as v from "valibot";
import type { MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { invoiceEventType } from "@svc/shared/invoice/invoiceEvent.ts";
import type { InvoiceEventType } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import {
  GREENFIELD_EVENT_TYPES,
  type GreenfieldEventType,
} from "@svc/shared/gateway/greenfield/greenfieldEventType.ts";
import { WEBHOOK_FORMS, type WebhookForm } from "@svc/shared/protocol/webhook/webhookForm.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** A webhook. */
export type EndpointRow = {
  readonly merchant: MerchantId;
  /** `wh_` and 32 hex digits. */
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Signs until `switchMs`, then `nextSecret` does. */
  readonly secret: string;
  readonly nextSecret: string | null;
  readonly switchMs: TimestampMs | null;
  readonly form: WebhookForm;
  /** Types that it gets; null for all. */
  readonly events: readonly InvoiceEventType[] | null;
  /** Types of the form `greenfield` that it gets; null for all. */
  readonly greenfieldEvents: readonly GreenfieldEventType[] | null;
  /** Why nothing is sent to it: its merchant said so, or its receiver answered nothing but failures for three days. Null while it is on. */
  readonly disabledBy: "merchant" | "failures" | null;
  /** When a delivery arrived last; null for never. */
  readonly deliveredMs: TimestampMs | null;
  readonly createdMs: TimestampMs;
  readonly updatedMs: TimestampMs;
};

const schema: v.GenericSchema<unknown, EndpointRow> = v.object({
  merchant: fields.merchantId,
  id: v.pipe(v.string(), v.regex(/^wh_[0-9a-f]{32}$/)),
  url: v.string(),
  description: v.string(),
  secret: v.string(),
  nextSecret: v.nullable(v.string()),
  switchMs: v.nullable(fields.timestampMs),
  // Rows of layout 1 have no form.
  form: v.optional(v.picklist(WEBHOOK_FORMS), "svc"),
  events: v.nullable(v.array(invoiceEventType)),
  greenfieldEvents: v.optional(v.nullable(v.array(v.picklist(GREENFIELD_EVENT_TYPES))), null),
  disabledBy: v.nullable(v.picklist(["merchant", "failures"])),
  deliveredMs: v.nullable(fields.timestampMs),
  createdMs: fields.timestampMs,
  updatedMs: fields.timestampMs,
});

/** The webhooks by merchant and id. Reads throw as those of `RowTable` do. */
export class EndpointTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<EndpointRow>;

  /** `seal` hides their secrets from who reads the disk; null leaves them readable. */
  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    this.#rows = new RowTable({
      table: GATEWAY_TABLES.endpoints,
      name: "endpoints",
      codec: jsonCodec(schema),
      seal,
    });
  }

  /** A webhook of a merchant, or undefined. */
  get(
    merchant: MerchantId,
    id: string,
    reader: StoreReader = this.#store,
  ): EndpointRow | undefined {
    return this.#rows.get(reader, keyOf(merchant, id));
  }

  /** The webhooks of a merchant. */
  of(merchant: MerchantId, reader: StoreReader = this.#store): readonly EndpointRow[] {
    return [...this.#rows.from(reader, nameKey(merchant))].map(({ row }) => row);
  }

  /** The webhooks with this id, of whatever merchants. */
  configured(id: string, reader: StoreReader = this.#store): readonly EndpointRow[] {
    return [...this.#rows.from(reader, Uint8Array.of())]
      .map(({ row }) => row)
      .filter((row) => row.id === id);
  }

  /** Writes a webhook. */
  put(batch: StoreBatch, row: EndpointRow): void {
    this.#rows.put(batch, keyOf(row.merchant, row.id), row);
  }

  /** Forgets a webhook. */
  delete(batch: StoreBatch, merchant: MerchantId, id: string): void {
    this.#rows.delete(batch, keyOf(merchant, id));
  }
}

function keyOf(merchant: MerchantId, id: string): Uint8Array {
  return concatBytes(nameKey(merchant), nameKey(id));
}
