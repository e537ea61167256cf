/** Merchants of the hosted gateway and whom an API key belongs to, as rows of D1. */
import * as v from "valibot";
import type { Hash32, MerchantId, TimestampMs, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import type { Merchant, MerchantKey, MerchantPort } from "@svc/shared/gateway/gatewayPorts.ts";
import type { InvoicePolicy } from "@svc/shared/invoice/invoice.ts";
import { invoicePolicy } from "@svc/shared/invoice/invoiceCodec.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { ApiKeyStore } from "./apiKeyStore.ts";

/** A merchant. */
export type MerchantRow = {
  readonly id: MerchantId;
  /** Name of the shop, as payers read it. */
  readonly name: string;
  /** The viewing key whose addresses its invoices have. It stays: its object holds the merchant's idempotency keys. */
  readonly key: ViewingKeyId;
  readonly policy: InvoicePolicy;
  /** Seconds that an invoice has to be paid in. */
  readonly expiresInS: number;
  readonly frameOrigins: readonly string[];
  readonly language: string | null;
  /** It gets no new invoices from then on; null while it is open. */
  readonly closedMs: TimestampMs | null;
};

const form: v.GenericSchema<unknown, MerchantRow> = v.object({
  id: fields.merchantId,
  name: v.string(),
  key: fields.viewingKeyId,
  policy: invoicePolicy,
  expiresInS: fields.u32,
  frameOrigins: v.array(v.string()),
  language: v.nullable(v.string()),
  closedMs: v.nullable(fields.timestampMs),
});
const stored = v.object({ record: v.pipe(v.string(), v.parseJson(), form) });

/** The merchants. Its methods reject with what D1 says. */
export class MerchantStore implements MerchantPort {
  readonly #db: D1Database;
  readonly #now: () => TimestampMs;

  constructor(db: D1Database, now: () => TimestampMs) {
    this.#db = db;
    this.#now = now;
  }

  /** Adds a merchant; false where there is one of its name. */
  async add(row: MerchantRow): Promise<boolean> {
    const { meta } = await this.#db
      .prepare("INSERT OR IGNORE INTO merchants (id, record) VALUES (?1, ?2)")
      .bind(row.id, stableJson(row))
      .run();
    return meta.changes === 1;
  }

  /** A merchant as it is stored; null where there is none. */
  async row(id: MerchantId): Promise<MerchantRow | null> {
    const found = await this.#db
      .prepare("SELECT record FROM merchants WHERE id = ?1")
      .bind(id)
      .first();
    return found === null ? null : v.parse(stored, found).record;
  }

  /** Merchants by their ids, behind one of them, at most `limit`. */
  async list(after: MerchantId | null, limit: number): Promise<readonly MerchantRow[]> {
    const { results } = await this.#db
      .prepare("SELECT record FROM merchants WHERE id > ?1 ORDER BY id LIMIT ?2")
      .bind(after ?? "", limit)
      .all();
    return results.map((row) => v.parse(stored, row).record);
  }

  async merchant(id: MerchantId): Promise<Merchant | null> {
    const row = await this.row(id);
    if (row === null) return null;
    const { name, policy, expiresInS, frameOrigins, language } = row;
    const theme = { scheme: "auto", accent: null } as const;
    return { id, policy, expiresInS, frameOrigins, look: { storeName: name, theme, language } };
  }

  async keyOf(hash: Hash32): Promise<MerchantKey | null> {
    const key = await new ApiKeyStore(this.#db).findHash(hash, this.#now());
    if (key === null) return null;
    const { success, output } = v.safeParse(fields.merchantId, key.merchant);
    const merchant = success ? await this.merchant(output) : null;
    if (merchant === null) return null;
    const scopes = KEY_SCOPES.filter((scope) => key.scopes.includes(scope));
    return { merchant, keyId: key.id, label: key.label, scopes, createdMs: key.createdMs };
  }
}
