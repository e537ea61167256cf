/** Rows of D1 that follow the refunds in the objects of their invoices: where a refund is, a merchant's list, and what is due. */
import * as v from "valibot";
import {
  asRefundId,
  type ClaimId,
  type InvoiceId,
  type MerchantId,
  type RefundId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import type { InvoiceAddress } from "@svc/shared/invoice/invoice.ts";
import type { DuePayout } from "@svc/shared/invoice/payoutCalls.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { refundSchema } from "@svc/shared/invoice/refundCodec.ts";

/** A refund as its object has written it. */
export type RefundRow = {
  readonly refund: Refund;
  readonly revision: number;
  /** Where its invoice was paid to. */
  readonly address: Pick<InvoiceAddress, "key" | "index">;
};

/** A place in a merchant's list, from which it goes on. */
export type RefundPlace = { readonly createdMs: bigint; readonly id: RefundId };

/** A place among those that are due. */
export type DuePlace = { readonly dueMs: number; readonly id: RefundId };

/** One that is due, and the address of its invoice. */
export type DueRow = DuePlace & DuePayout;

const dueRow = v.pipe(
  v.object({
    json: v.pipe(v.string(), v.parseJson(), refundSchema),
    viewing_key: fields.viewingKeyId,
    address_index: fields.u32,
    due_ms: v.number(),
  }),
  v.transform(({ json, viewing_key, address_index, due_ms }): DueRow => {
    return {
      ...{ refund: json, key: viewing_key, index: address_index },
      ...{ dueMs: due_ms, id: json.terms.id },
    };
  }),
);
const stored = v.object({ json: v.pipe(v.string(), v.parseJson(), refundSchema) });
const held = v.object({ invoice: fields.invoiceId, id: fields.refundId });

/** The rows. Its methods reject with what D1 says. */
export class RefundStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** Writes a row, unless a newer one is there. */
  async put({ refund, revision, address }: RefundRow): Promise<void> {
    const { id, claim, merchant, invoice, createdMs } = refund.terms;
    const dueMs = refund.dueMs === null ? null : Number(refund.dueMs);
    await this.#db
      .prepare(
        "INSERT INTO refunds (id, claim, merchant, invoice, viewing_key, address_index, created_ms, due_ms, revision, json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO UPDATE SET due_ms = ?8, revision = ?9, json = ?10 WHERE revision < ?9",
      )
      .bind(
        ...[id, claim, merchant, invoice, address.key, address.index, Number(createdMs)],
        ...[dueMs, revision, stableJson(refund)],
      )
      .run();
  }

  /** The invoice of a refund; null where there is none. */
  async invoiceOf(id: RefundId): Promise<InvoiceId | null> {
    const row = await this.#first("SELECT invoice, id FROM refunds WHERE id = ?1", id);
    return row?.invoice ?? null;
  }

  /** The refund of a claim; null where there is none. */
  async at(claim: ClaimId): Promise<{ readonly invoice: InvoiceId; readonly id: RefundId } | null> {
    return this.#first("SELECT invoice, id FROM refunds WHERE claim = ?1", claim);
  }

  /** At most `limit` of a merchant's refunds, the newest first, from behind a place on. */
  async list(
    merchant: MerchantId,
    after: RefundPlace | null,
    limit: number,
  ): Promise<readonly Refund[]> {
    const { createdMs, id } = after ?? { createdMs: Number.MAX_SAFE_INTEGER, id: asRefundId("") };
    const { results } = await this.#db
      .prepare(
        "SELECT json FROM refunds WHERE merchant = ?1 AND (created_ms, id) < (?2, ?3) ORDER BY created_ms DESC, id DESC LIMIT ?4",
      )
      .bind(merchant, Number(createdMs), id, limit)
      .all();
    return results.map((row) => v.parse(stored, row).json);
  }

  /** At most `limit` refunds that a wallet is to be asked about now, those due longest first, from behind a place on. */
  async due(nowMs: TimestampMs, after: DuePlace | null, limit: number): Promise<readonly DueRow[]> {
    const { dueMs, id } = after ?? { dueMs: -1, id: asRefundId("") };
    const { results } = await this.#db
      .prepare(
        "SELECT json, viewing_key, address_index, due_ms FROM refunds WHERE due_ms <= ?1 AND (due_ms, id) > (?2, ?3) ORDER BY due_ms, id LIMIT ?4",
      )
      .bind(Number(nowMs), dueMs, id, limit)
      .all();
    return results.map((row) => v.parse(dueRow, row));
  }

  async #first(query: string, value: string) {
    const row = await this.#db.prepare(query).bind(value).first();
    return row === null ? null : v.parse(held, row);
  }
}
