/** Webhooks of merchants as their owners see them, as rows of D1. Their secrets are sealed. */
import * as v from "valibot";
import { asTimestampMs, type MerchantId, type TimestampMs } from "@svc/shared/base/brand.ts";
import { invoiceEventType } from "@svc/shared/invoice/invoiceEvent.ts";
import type { InvoiceEventType } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import {
  GREENFIELD_EVENT_TYPES,
  type GreenfieldEventType,
} from "@svc/shared/gateway/greenfield/greenfieldEventType.ts";
import { WEBHOOK_FORMS, type WebhookForm } from "@svc/shared/protocol/webhook/webhookForm.ts";

/** A webhook. */
export type EndpointRow = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly form: WebhookForm;
  /** Null for all. */
  readonly events: readonly InvoiceEventType[] | null;
  /** Types of the form `greenfield`; null for all. */
  readonly greenfieldEvents: readonly GreenfieldEventType[] | null;
  readonly disabledBy: "merchant" | "failures" | null;
  /** Sealed, as the next one is. */
  readonly secret: string;
  /** Signs from `switchMs` on; both null where there is no such secret. */
  readonly nextSecret: string | null;
  readonly switchMs: TimestampMs | null;
  readonly createdMs: TimestampMs;
  readonly updatedMs: TimestampMs;
};

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const form = v.pipe(
  v.object({
    id: v.string(),
    url: v.string(),
    description: v.string(),
    form: v.picklist(WEBHOOK_FORMS),
    events: v.nullable(v.pipe(v.string(), v.parseJson(), v.array(invoiceEventType))),
    greenfield_events: v.nullable(
      v.pipe(v.string(), v.parseJson(), v.array(v.picklist(GREENFIELD_EVENT_TYPES))),
    ),
    enabled: v.number(),
    disabled_by: v.nullable(v.picklist(["merchant", "failures"])),
    secret: v.string(),
    next_secret: v.nullable(v.string()),
    switch_ms: v.nullable(time),
    created_ms: time,
    updated_ms: time,
  }),
  v.transform((row): EndpointRow => {
    const { id, url, description, form: kind, events, secret, enabled } = row;
    return {
      ...{ id, url, description, form: kind, events, secret },
      greenfieldEvents: row.greenfield_events,
      disabledBy: enabled === 1 ? null : (row.disabled_by ?? "merchant"),
      nextSecret: row.next_secret,
      switchMs: row.switch_ms,
      createdMs: row.created_ms,
      updatedMs: row.updated_ms,
    };
  }),
);

/** The webhooks of all merchants. Its methods reject with what D1 says. */
export class EndpointStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** The webhooks of a merchant, the oldest first. */
  async of(merchant: MerchantId): Promise<readonly EndpointRow[]> {
    const { results } = await this.#db
      .prepare("SELECT * FROM webhook_endpoints WHERE merchant = ?1 ORDER BY created_ms, id")
      .bind(merchant)
      .all();
    return results.map((row) => v.parse(form, row));
  }

  /** A webhook; null where this merchant has none of this id. */
  async get(merchant: MerchantId, id: string): Promise<EndpointRow | null> {
    const row = await this.#db
      .prepare("SELECT * FROM webhook_endpoints WHERE merchant = ?1 AND id = ?2")
      .bind(merchant, id)
      .first();
    return row === null ? null : v.parse(form, row);
  }

  /** Adds a webhook, unless it is there; false where the merchant has `max` of them. */
  async add(merchant: MerchantId, row: EndpointRow, max: number): Promise<boolean> {
    const known = await this.get(merchant, row.id);
    if (known !== null) return true;
    const { meta } = await this.#db
      .prepare(
        "INSERT OR IGNORE INTO webhook_endpoints (merchant, id, url, secret, enabled, description, events, created_ms, updated_ms, form, greenfield_events, disabled_by) SELECT ?1, ?2, ?3, ?4, ?11, ?5, ?6, ?7, ?7, ?9, ?10, ?12 WHERE (SELECT count(*) FROM webhook_endpoints WHERE merchant = ?1) < ?8",
      )
      .bind(
        ...[merchant, row.id, row.url, row.secret, row.description, jsonOf(row.events)],
        ...[Number(row.createdMs), max, row.form, jsonOf(row.greenfieldEvents)],
        ...[row.disabledBy === null ? 1 : 0, row.disabledBy],
      )
      .run();
    return meta.changes === 1;
  }

  /** Writes what a merchant has changed; false where the webhook is gone. */
  async put(merchant: MerchantId, row: EndpointRow): Promise<boolean> {
    const { meta } = await this.#db
      .prepare(
        "UPDATE webhook_endpoints SET url = ?3, description = ?4, events = ?5, enabled = ?6, disabled_by = ?7, secret = ?8, next_secret = ?9, switch_ms = ?10, updated_ms = ?11, greenfield_events = ?12 WHERE merchant = ?1 AND id = ?2",
      )
      .bind(
        ...[merchant, row.id, row.url, row.description, jsonOf(row.events)],
        ...[row.disabledBy === null ? 1 : 0, row.disabledBy, row.secret, row.nextSecret],
        ...[row.switchMs === null ? null : Number(row.switchMs), Number(row.updatedMs)],
        jsonOf(row.greenfieldEvents),
      )
      .run();
    return meta.changes === 1;
  }

  /** Forgets a webhook and its deliveries at once; false where there is none. */
  async remove(merchant: MerchantId, id: string): Promise<boolean> {
    const [, gone] = await this.#db.batch([
      this.#db
        .prepare("DELETE FROM webhook_deliveries WHERE merchant = ?1 AND endpoint = ?2")
        .bind(merchant, id),
      this.#db
        .prepare("DELETE FROM webhook_endpoints WHERE merchant = ?1 AND id = ?2")
        .bind(merchant, id),
    ]);
    return gone?.meta.changes === 1;
  }
}

/** A webhook whose new secret signs from now on, where its time has come. */
export function settled(row: EndpointRow, now: TimestampMs): EndpointRow {
  const { nextSecret, switchMs } = row;
  if (nextSecret === null || switchMs === null || now < switchMs) return row;
  return { ...row, secret: nextSecret, nextSecret: null, switchMs: null };
}

function jsonOf(events: readonly string[] | null): string | null {
  return events === null ? null : JSON.stringify(events);
}
