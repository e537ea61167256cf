/** What an invoice's object stores of its refunds. An object whose invoice has none has no table of them. */
import * as v from "valibot";
import type { RefundId } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { refundSchema } from "@svc/shared/invoice/refundCodec.ts";

/** A refund, how often it was written, and the idempotency key of the request that approved it. */
export type StoredRefund = {
  readonly refund: Refund;
  readonly revision: number;
  readonly approvedBy: string | null;
};

const TABLES = `
CREATE TABLE IF NOT EXISTS refunds (
  id TEXT PRIMARY KEY, revision INTEGER NOT NULL, json TEXT NOT NULL, approved_by TEXT,
  standing INTEGER NOT NULL, relayed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS refunds_standing ON refunds (id) WHERE standing = 1;
CREATE INDEX IF NOT EXISTS refunds_to_relay ON refunds (id) WHERE relayed = 0;`;

const stored = v.pipe(
  v.object({
    revision: v.number(),
    json: v.pipe(v.string(), v.parseJson(), refundSchema),
    approved_by: v.nullable(v.string()),
  }),
  v.transform(({ revision, json, approved_by }): StoredRefund => {
    return { refund: json, revision, approvedBy: approved_by };
  }),
);

/** The rows of one object. */
export class RefundRows {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  /** A refund; null where there is none. */
  get(id: RefundId): StoredRefund | null {
    return this.#all("SELECT * FROM refunds WHERE id = ?", id)[0] ?? null;
  }

  /** The refunds that take something of what was paid, or may. */
  standing(): readonly StoredRefund[] {
    return this.#all("SELECT * FROM refunds WHERE standing = 1");
  }

  /** Those of which the list has not heard. */
  toRelay(): readonly StoredRefund[] {
    return this.#all("SELECT * FROM refunds WHERE relayed = 0");
  }

  /** Writes a refund. */
  put(refund: Refund, approvedBy: string | null): void {
    this.#sql.exec(TABLES);
    this.#sql.exec(
      "INSERT INTO refunds (id, revision, json, approved_by, standing, relayed) VALUES (?1, 1, ?2, ?3, ?4, 0) ON CONFLICT (id) DO UPDATE SET revision = revision + 1, json = ?2, approved_by = ?3, standing = ?4, relayed = 0",
      ...[refund.terms.id, stableJson(refund), approvedBy, takes(refund) ? 1 : 0],
    );
  }

  /** The list has heard of a revision. */
  relayed(id: RefundId, revision: number): void {
    this.#sql.exec(
      "UPDATE refunds SET relayed = 1 WHERE id = ? AND revision = ?",
      ...[id, revision],
    );
  }

  #all(query: string, ...values: string[]): readonly StoredRefund[] {
    const [table] = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'refunds'");
    if (table === undefined) return [];
    return [...this.#sql.exec(query, ...values)].map((row) => v.parse(stored, row));
  }
}

function takes({ state, moved }: Refund): boolean {
  return state === "failed" ? moved > 0n : state !== "cancelled";
}
