/**
 * Deliveries of events to webhooks. Each names an event, whose body is stored once. One that failed for three days is a dead letter: it
 * stays, and goes out again when its merchant asks for it.
 */
import * as v from "valibot";
import {
  asTimestampMs,
  type InvoiceId,
  type MerchantId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { GREENFIELD_EVENT_TYPES } from "@svc/shared/gateway/greenfield/greenfieldEventType.ts";
import type { GreenfieldEvent } from "@svc/shared/gateway/greenfield/greenfieldEvents.ts";
import { errorSchema } from "@svc/shared/wallet/state/paymentSchema.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import {
  keysFrom,
  nameKey,
  numberKey,
  readNameKey,
  readNumberKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { INDEXED } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** A delivery. */
export type DeliveryRow = {
  readonly merchant: MerchantId;
  /** The event: an invoice in one of its versions. Null for a ping. */
  readonly event: { readonly invoice: InvoiceId; readonly version: number } | null;
  readonly state: "waiting" | "delivered" | "dead";
  /** Tries that have failed since it was made, or asked for again. */
  readonly attempts: number;
  readonly createdMs: TimestampMs;
  /** When it is tried next. */
  readonly dueMs: TimestampMs;
  /** Why the last try failed; null when none did. */
  readonly error: ErrorJson | null;
  /** It is the same event again, for which its merchant asked: the number of the delivery before. */
  readonly again: bigint | null;
  /** What is told to a webhook of the form `greenfield`; null for every other one, whose body stands with the event. */
  readonly told: GreenfieldEvent | null;
};

/** The place of a delivery: its webhook, and its number there. */
export type DeliveryPlace = { readonly endpoint: string; readonly number: bigint };
/** A delivery and its place. */
export type PlacedDelivery = DeliveryPlace & { readonly row: DeliveryRow };

const schema: v.GenericSchema<unknown, DeliveryRow> = v.object({
  merchant: fields.merchantId,
  event: v.nullable(
    v.object({ invoice: fields.invoiceId, version: v.pipe(v.number(), v.safeInteger()) }),
  ),
  state: v.picklist(["waiting", "delivered", "dead"]),
  attempts: fields.u32,
  createdMs: fields.timestampMs,
  dueMs: fields.timestampMs,
  error: v.nullable(errorSchema),
  again: v.nullable(fields.u64),
  // Rows of layout 1 tell the event itself.
  told: v.optional(
    v.nullable(
      v.object({
        part: v.pipe(v.number(), v.safeInteger()),
        type: v.picklist(GREENFIELD_EVENT_TYPES),
        json: v.string(),
      }),
    ),
    null,
  ),
});

/** The deliveries by webhook and number. Reads throw as those of `RowTable` do. */
export class DeliveryTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.deliveries,
    name: "deliveries",
    codec: jsonCodec(schema),
    seal: null,
  });
  readonly #heads = new RowTable({
    table: GATEWAY_TABLES.deliveryHeads,
    name: "delivery_heads",
    codec: jsonCodec<{ readonly last: bigint }>(v.object({ last: fields.u64 })),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A delivery, or undefined. */
  get(place: DeliveryPlace, reader: StoreReader = this.#store): DeliveryRow | undefined {
    return this.#rows.get(reader, keyOf(place));
  }

  /** Adds a delivery to a webhook; returns its place. */
  add(batch: StoreBatch, endpoint: string, row: DeliveryRow): DeliveryPlace {
    const head = nameKey(endpoint);
    const number = (this.#heads.get(batch, head)?.last ?? 0n) + 1n;
    this.#heads.put(batch, head, { last: number });
    const place = { endpoint, number };
    this.#rows.put(batch, keyOf(place), row);
    if (row.state === "waiting")
      batch.put(GATEWAY_TABLES.deliveriesDue, dueKey(place, row), INDEXED);
    this.#forgetOld(batch, place);
    return place;
  }

  /** Writes down how a try ended; nothing for one that is not there any more. */
  change(batch: StoreBatch, place: DeliveryPlace, row: DeliveryRow): void {
    const before = this.get(place, batch);
    if (before === undefined) return;
    batch.put(GATEWAY_TABLES.deliveriesDue, dueKey(place, before), null);
    this.#rows.put(batch, keyOf(place), row);
    if (row.state === "waiting")
      batch.put(GATEWAY_TABLES.deliveriesDue, dueKey(place, row), INDEXED);
  }

  /** At most `limit` deliveries of a webhook below a number, the newest first. */
  list(endpoint: string, below: bigint | null, limit: number): readonly PlacedDelivery[] {
    const { from, to } = keysFrom(nameKey(endpoint));
    const end = below === null ? to : keyOf({ endpoint, number: below });
    const range = { table: GATEWAY_TABLES.deliveries, from, to: end, limit, reverse: true };
    return this.#store.range(range).map(({ key }) => this.#placed(key));
  }

  /** At most `limit` deliveries that are due, those due longest first; with `after` those that stand behind it. */
  due(
    nowMs: TimestampMs,
    limit: number,
    after: Uint8Array | null = null,
  ): readonly (PlacedDelivery & { readonly at: Uint8Array })[] {
    const from = after === null ? numberKey(0n) : concatBytes(after, Uint8Array.of(0));
    const range = { from, to: numberKey(nowMs + 1n), limit };
    const pairs = this.#store.range({ table: GATEWAY_TABLES.deliveriesDue, ...range });
    return pairs.map(({ key }) => ({ ...this.#placed(key.subarray(8)), at: key }));
  }

  /** When the next delivery is due; null for never. */
  nextMs(): TimestampMs | null {
    const range = keysFrom(Uint8Array.of());
    const table = GATEWAY_TABLES.deliveriesDue;
    const [first] = this.#store.range({ table, ...range, limit: 1 });
    const time = first === undefined ? null : readNumberKey(first.key);
    return time === null ? null : asTimestampMs(time);
  }

  /** Forgets the deliveries of a webhook that is gone. */
  deleteEndpoint(batch: StoreBatch, endpoint: string): void {
    for (const { key, row } of this.#rows.from(batch, nameKey(endpoint))) {
      batch.put(GATEWAY_TABLES.deliveriesDue, concatBytes(numberKey(row.dueMs), key), null);
      this.#rows.delete(batch, key);
    }
    this.#heads.delete(batch, nameKey(endpoint));
  }

  /** What lies so far behind and is done goes: one for each that comes. */
  #forgetOld(batch: StoreBatch, { endpoint, number }: DeliveryPlace): void {
    const end = number - GATEWAY_LIMITS.deliveriesKept;
    if (end <= 0n) return;
    const range = { from: keyOf({ endpoint, number: 0n }), to: keyOf({ endpoint, number: end }) };
    for (const { key, row } of this.#rows.page(batch, { ...range, limit: 2 })) {
      if (row.state !== "waiting") this.#rows.delete(batch, key);
    }
  }

  #placed(key: Uint8Array): PlacedDelivery {
    const name = readNameKey(key);
    const number = name === null ? null : readNumberKey(name.rest);
    if (name === null || number === null) throw this.#rows.corrupt("key");
    const place = { endpoint: name.name, number };
    const row = this.get(place);
    if (row === undefined) throw this.#rows.corrupt(`no delivery ${number}`);
    return { ...place, row };
  }
}

function keyOf({ endpoint, number }: DeliveryPlace): Uint8Array {
  return concatBytes(nameKey(endpoint), numberKey(number));
}

function dueKey(place: DeliveryPlace, { dueMs }: DeliveryRow): Uint8Array {
  return concatBytes(numberKey(dueMs), keyOf(place));
}
