/**
 * Webhook deliveries and their endpoints, as rows of D1. A delivery is written before the queue hears of it; its row says how often
 * it was tried and when it is due, and a message of the queue is only what wakes it.
 */
import * as v from "valibot";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { decodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import { WEBHOOK_FORMS, type WebhookForm } from "@svc/shared/protocol/webhook/webhookForm.ts";

/** A delivery, by its merchant and its own id. */
export type DeliveryPlace = { readonly merchant: string; readonly id: string };

/** An event to deliver to an endpoint. */
export type NewDelivery = DeliveryPlace & {
  readonly endpoint: string;
  /** The same at each try. */
  readonly eventId: string;
  readonly eventType: string;
  /** JSON, as it is signed and sent. */
  readonly body: string;
  /** Null or left out where it tells of no invoice. */
  readonly invoice?: string | null;
  /** Among the deliveries of its invoice to its endpoint; null or left out for one that waits for no other. */
  readonly place?: number | null;
};

/** A delivery as it is kept. */
export type Delivery = NewDelivery & {
  readonly createdMs: TimestampMs;
  /** Tries that have failed. */
  readonly attempts: number;
  /** Null for one that is done. */
  readonly dueMs: TimestampMs | null;
  /** Null where the merchant has removed it. */
  readonly target: DeliveryTarget | null;
  /** The invoice as the list has it; null where the delivery tells of none. */
  readonly about: Invoice | null;
  /** Whether it was never tried, and one that was told before it was not either. */
  readonly isBehind: boolean;
};

/** Where a delivery goes. */
export type DeliveryTarget = {
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  readonly enabled: boolean;
  /** `svc` when left out. */
  readonly form?: WebhookForm;
};

/** How a try ended. */
export type TryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "again"; readonly atMs: TimestampMs; readonly error: ErrorJson }
  | { readonly kind: "dead"; readonly error: ErrorJson }
  /** A dead letter for which its receiver is not to blame. */
  | { readonly kind: "dropped"; readonly error: ErrorJson };

/** What the queue carries: which delivery, and which try of it. It holds no secret and no content. */
export type WebhookMessage = {
  readonly merchant: string;
  readonly endpoint: string;
  readonly delivery: string;
  /** Failed tries before the one that it asks for. */
  readonly attempt: number;
};

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const form = v.object({
  merchant: v.string(),
  id: v.string(),
  endpoint: v.string(),
  event_id: v.string(),
  event_type: v.string(),
  body: v.string(),
  created_ms: time,
  attempts: v.number(),
  due_ms: v.nullable(time),
  url: v.nullable(v.string()),
  secret: v.nullable(v.string()),
  enabled: v.nullable(v.number()),
  form: v.nullable(v.picklist(WEBHOOK_FORMS)),
  json: v.nullable(v.string()),
  is_behind: v.number(),
});

/** A delivery that was never tried, with a place behind one that was not either. */
const IS_BEHIND =
  "d.attempts = 0 AND d.place IS NOT NULL AND EXISTS (SELECT 1 FROM webhook_deliveries AS b WHERE b.merchant = d.merchant AND b.endpoint = d.endpoint AND b.invoice = d.invoice AND b.place < d.place AND b.place IS NOT NULL AND b.attempts = 0 AND b.due_ms IS NOT NULL)";
const overdue = v.object({
  merchant: v.string(),
  endpoint: v.string(),
  delivery: v.string(),
  attempt: v.number(),
});

/** The deliveries of all merchants. Its methods reject with what D1 says. */
export class DeliveryStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** Writes an endpoint, or another address or secret of it. `secret` is sealed. */
  async putEndpoint(
    { merchant, id }: DeliveryPlace,
    { url, secret, enabled }: DeliveryTarget,
  ): Promise<void> {
    await this.#db
      .prepare(
        "INSERT INTO webhook_endpoints (merchant, id, url, secret, enabled) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (merchant, id) DO UPDATE SET url = ?3, secret = ?4, enabled = ?5",
      )
      .bind(merchant, id, url, secret, enabled ? 1 : 0)
      .run();
  }

  /** Writes a delivery that is due now, unless it is there. Resolves with the message for the queue. */
  async add(delivery: NewDelivery, now: TimestampMs): Promise<WebhookMessage> {
    await this.#adding(delivery, now).run();
    return messageOf(delivery);
  }

  /** Writes several of them at once. */
  async addAll(
    deliveries: readonly NewDelivery[],
    now: TimestampMs,
  ): Promise<readonly WebhookMessage[]> {
    if (deliveries.length === 0) return [];
    await this.#db.batch(deliveries.map((delivery) => this.#adding(delivery, now)));
    return deliveries.map(messageOf);
  }

  #adding(delivery: NewDelivery, now: TimestampMs): D1PreparedStatement {
    const {
      merchant,
      id,
      endpoint,
      eventId,
      eventType,
      body,
      invoice = null,
      place = null,
    } = delivery;
    return this.#db
      .prepare(
        "INSERT OR IGNORE INTO webhook_deliveries (merchant, id, endpoint, event_id, event_type, body, created_ms, due_ms, updated_ms, invoice, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7, ?8, ?9)",
      )
      .bind(merchant, id, endpoint, eventId, eventType, body, Number(now), invoice, place);
  }

  /** A delivery with where it goes at a time; null for one that is not there. */
  async find({ merchant, id }: DeliveryPlace, now: TimestampMs): Promise<Delivery | null> {
    const found = await this.#db
      .prepare(
        `SELECT d.merchant, d.id, d.endpoint, d.event_id, d.event_type, d.body, d.created_ms, d.attempts, d.due_ms, e.url, CASE WHEN e.switch_ms <= ?3 THEN e.next_secret ELSE e.secret END AS secret, e.enabled, e.form, i.json, ${IS_BEHIND} AS is_behind FROM webhook_deliveries AS d LEFT JOIN webhook_endpoints AS e ON e.merchant = d.merchant AND e.id = d.endpoint LEFT JOIN invoices AS i ON i.merchant = d.merchant AND i.id = d.invoice AND e.form <> 'svc' WHERE d.merchant = ?1 AND d.id = ?2`,
      )
      .bind(merchant, id, Number(now))
      .first();
    return found === null ? null : deliveryOf(v.parse(form, found));
  }

  /** Writes down how a try ended; false where somebody else has done so for this try. */
  async settle(
    { merchant, id, attempts }: DeliveryPlace & Pick<Delivery, "attempts">,
    outcome: TryOutcome,
    now: TimestampMs,
  ): Promise<boolean> {
    const { kind } = outcome;
    const word = { again: "waiting", dropped: "dead", dead: "dead", delivered: "delivered" }[kind];
    const error = kind === "delivered" ? null : JSON.stringify(outcome.error);
    const failed = kind === "delivered" || kind === "dropped" ? 0 : 1;
    const dueMs = kind === "again" ? Number(outcome.atMs) : null;
    const { meta } = await this.#db
      .prepare(
        "UPDATE webhook_deliveries SET attempts = attempts + ?4, outcome = ?5, error = coalesce(?6, error), due_ms = ?7, updated_ms = ?8 WHERE merchant = ?1 AND id = ?2 AND attempts = ?3 AND due_ms IS NOT NULL",
      )
      .bind(merchant, id, attempts, failed, word, error, dueMs, Number(now))
      .run();
    if (meta.changes !== 1) return false;
    if (kind === "delivered" || kind === "dead") await this.#noteEnd({ merchant, id }, kind, now);
    return true;
  }

  /** An endpoint whose receiver took nothing since a dead letter was made gets nothing any more. */
  async #noteEnd(
    { merchant, id }: DeliveryPlace,
    kind: "delivered" | "dead",
    now: TimestampMs,
  ): Promise<void> {
    const set =
      kind === "delivered"
        ? "delivered_ms = ?3"
        : "enabled = 0, disabled_by = 'failures', updated_ms = ?3";
    const taken = kind === "delivered" ? "TRUE" : "coalesce(e.delivered_ms, 0) < d.created_ms";
    await this.#db
      .prepare(
        `UPDATE webhook_endpoints AS e SET ${set} FROM webhook_deliveries AS d WHERE d.merchant = ?1 AND d.id = ?2 AND e.merchant = d.merchant AND e.id = d.endpoint AND e.enabled = 1 AND ${taken}`,
      )
      .bind(merchant, id, Number(now))
      .run();
  }

  /** Takes up to `limit` deliveries that were due before a time, whose message the queue has lost; each again only when as much time has passed. */
  async takeOverdue(
    before: TimestampMs,
    { now, limit }: { readonly now: TimestampMs; readonly limit: number },
  ): Promise<readonly WebhookMessage[]> {
    const { results } = await this.#db
      .prepare(
        "UPDATE webhook_deliveries SET looked_ms = ?2 WHERE (merchant, id) IN (SELECT merchant, id FROM webhook_deliveries WHERE due_ms < ?1 AND looked_ms < ?1 ORDER BY looked_ms, due_ms LIMIT ?3) RETURNING merchant, endpoint, id AS delivery, attempts AS attempt",
      )
      .bind(Number(before), Number(now), limit)
      .all();
    return results.map((row) => v.parse(overdue, row));
  }
}

function messageOf({ merchant, endpoint, id }: NewDelivery): WebhookMessage {
  return { merchant, endpoint, delivery: id, attempt: 0 };
}

function deliveryOf(row: v.InferOutput<typeof form>): Delivery {
  const { merchant, id, endpoint, body, attempts, url, secret, enabled } = row;
  return {
    ...{ merchant, id, endpoint, body, attempts },
    eventId: row.event_id,
    eventType: row.event_type,
    createdMs: row.created_ms,
    dueMs: row.due_ms,
    isBehind: row.is_behind === 1,
    about: row.json === null || row.json === "" ? null : decodeInvoice(row.json),
    target:
      url === null || secret === null
        ? null
        : { url, secret, enabled: enabled === 1, form: row.form ?? "svc" },
  };
}
