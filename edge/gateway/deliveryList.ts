/** List of a webhook's deliveries as its merchant sees them, the newest first, as rows of D1. */
import * as v from "valibot";
import { asTimestampMs, type MerchantId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Page } from "@svc/shared/gateway/gatewayPorts.ts";
import type { Delivery } from "@svc/shared/gateway/webhookPort.ts";

/** What is asked of the list. */
export type DeliveryQuestion = {
  /** Those that were given up alone. */
  readonly onlyDead: boolean;
  /** Of an answer before; null for the beginning. */
  readonly cursor: string | null;
  readonly limit: number;
};

/** A delivery and the body that it sends. */
export type ListedDelivery = { readonly delivery: Delivery; readonly body: string };

const CURSOR = /^(\d{1,15})\.([a-z0-9_]{1,64})$/;

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const error = v.pipe(
  v.string(),
  v.parseJson(),
  v.transform((json) => SvcError.fromJson(json).toJSON()),
);
const form = v.pipe(
  v.object({
    id: v.string(),
    endpoint: v.string(),
    event_id: v.string(),
    event_type: v.string(),
    body: v.string(),
    invoice: v.nullable(fields.invoiceId),
    outcome: v.picklist(["waiting", "delivered", "dead"]),
    attempts: v.number(),
    created_ms: time,
    due_ms: v.nullable(time),
    updated_ms: time,
    error: v.nullable(error),
  }),
  v.transform((row): ListedDelivery => {
    const { outcome: state, attempts } = row;
    const delivery = {
      ...{ id: row.id, webhookId: row.endpoint, eventId: row.event_id, eventType: row.event_type },
      ...{ invoiceId: row.invoice, state, createdMs: row.created_ms },
      dueMs: row.due_ms ?? row.updated_ms,
      // The row counts those that failed.
      attempts: state === "delivered" ? attempts + 1 : attempts,
      error: state === "delivered" ? null : row.error,
    };
    return { delivery, body: row.body };
  }),
);

/** The deliveries of all merchants. */
export class DeliveryList {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** A page of a webhook's deliveries. Rejects with `api/bad-field` for a cursor that is none. */
  async page(
    merchant: MerchantId,
    endpoint: string,
    { onlyDead, cursor, limit }: DeliveryQuestion,
  ): Promise<Page<Delivery>> {
    const after = placeOf(cursor);
    const dead = onlyDead ? "AND outcome = 'dead'" : "";
    const { results } = await this.#db
      .prepare(
        `SELECT * FROM webhook_deliveries WHERE merchant = ?1 AND endpoint = ?2 AND (created_ms, id) < (?3, ?4) ${dead} ORDER BY created_ms DESC, id DESC LIMIT ?5`,
      )
      .bind(merchant, endpoint, after.ms, after.id, limit + 1)
      .all();
    const rows = results.slice(0, limit).map((row) => v.parse(form, row).delivery);
    const last = results.length > limit ? rows.at(-1) : undefined;
    return { rows, next: last === undefined ? null : `${last.createdMs}.${last.id}` };
  }

  /** A delivery of a webhook; null where it has none of this id. */
  async find(merchant: MerchantId, endpoint: string, id: string): Promise<ListedDelivery | null> {
    const row = await this.#db
      .prepare("SELECT * FROM webhook_deliveries WHERE merchant = ?1 AND id = ?2 AND endpoint = ?3")
      .bind(merchant, id, endpoint)
      .first();
    return row === null ? null : v.parse(form, row);
  }
}

function placeOf(cursor: string | null): { readonly ms: number; readonly id: string } {
  if (cursor === null) return { ms: Number.MAX_SAFE_INTEGER, id: "" };
  const [, ms = "", id = ""] = CURSOR.exec(cursor) ?? [];
  if (id !== "") return { ms: Number(ms), id };
  throw new SvcError("api/bad-field", { field: "cursor", expected: "one of an answer before" });
}
