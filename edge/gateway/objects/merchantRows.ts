/** What a viewing key's object stores: addresses that no invoice has, which index went to which invoice, and idempotency keys. */
import * as v from "valibot";
import type { InvoiceId, MerchantId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import type { InvoiceAddress } from "@svc/shared/invoice/invoice.ts";
import type { AddressesFact } from "@svc/shared/invoice/factBatch.ts";

/** An invoice that has an address. `json` is the invoice where its object may not have it yet. */
export type Allotted = {
  readonly index: number;
  readonly invoice: InvoiceId;
  readonly json: string | null;
};

const TABLES = `
CREATE TABLE IF NOT EXISTS addresses (place INTEGER PRIMARY KEY, raw TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS allotted (place INTEGER PRIMARY KEY, invoice TEXT NOT NULL UNIQUE, json TEXT);
CREATE TABLE IF NOT EXISTS requests (
  merchant TEXT NOT NULL, request TEXT NOT NULL, hash TEXT NOT NULL, made TEXT NOT NULL, PRIMARY KEY (merchant, request)
) WITHOUT ROWID;`;

const free = v.object({ place: fields.u32, raw: fields.rawAddress, text: fields.addressText });
const allotted = v.pipe(
  v.object({ place: fields.u32, invoice: fields.invoiceId, json: v.nullable(v.string()) }),
  v.transform(({ place, ...same }): Allotted => ({ index: place, ...same })),
);
const use = v.object({ hash: v.string(), made: v.string() });
const next = v.object({ next: v.number() });
const count = v.object({ count: v.number() });

/** The rows of one object. */
export class MerchantRows {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec(TABLES);
  }

  /** Adds a run, unless it begins below what was handed out already: no index is ever given twice. */
  addRun({ from, addresses }: AddressesFact): void {
    const row = this.#first("SELECT next FROM runs");
    if (row !== undefined && from < v.parse(next, row).next) return;
    this.#sql.exec(
      "INSERT INTO addresses (place, raw, text) SELECT ?1 + key, value ->> 'raw', value ->> 'text' FROM json_each(?2)",
      ...[from, JSON.stringify(addresses)],
    );
    const end = from + addresses.length;
    this.#sql.exec(
      "INSERT INTO runs (one, next) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET next = ?1",
      end,
    );
  }

  /** Takes the next address out. Throws `gateway/no-address`. */
  take(): Pick<InvoiceAddress, "index" | "raw" | "text"> {
    const row = this.#first("SELECT * FROM addresses ORDER BY place LIMIT 1");
    if (row === undefined) throw new SvcError("gateway/no-address", {});
    const { place, raw, text } = v.parse(free, row);
    this.#sql.exec("DELETE FROM addresses WHERE place = ?", place);
    return { index: place, raw, text };
  }

  /** Writes which invoice has an address. */
  allot({ index, invoice, json }: Allotted): void {
    this.#sql.exec(
      "INSERT INTO allotted (place, invoice, json) VALUES (?, ?, ?)",
      ...[index, invoice, json],
    );
  }

  /** The object of an invoice has it. */
  made(invoice: InvoiceId): void {
    this.#sql.exec("UPDATE allotted SET json = NULL WHERE invoice = ?", invoice);
  }

  /** The invoice that has an address; null where none has. */
  at(index: number): Allotted | null {
    const row = this.#first("SELECT * FROM allotted WHERE place = ?", index);
    return row === undefined ? null : v.parse(allotted, row);
  }

  /** The address of an invoice. Throws `store/missing`. */
  of(invoice: string): Allotted {
    const row = this.#first("SELECT * FROM allotted WHERE invoice = ?", invoice);
    if (row === undefined) throw new SvcError("store/missing", { table: "allotted", key: invoice });
    return v.parse(allotted, row);
  }

  /** What a key made before; null for a new one. Throws `gateway/idempotency-conflict` where it was used for another request. */
  madeBy(merchant: MerchantId, { key, bodyHash }: RequestKey): string | null {
    const row = this.#first(
      "SELECT hash, made FROM requests WHERE merchant = ? AND request = ?",
      ...[merchant, key],
    );
    if (row === undefined) return null;
    const { hash, made } = v.parse(use, row);
    if (hash !== bodyHash) throw new SvcError("gateway/idempotency-conflict", {});
    return made;
  }

  /** Writes what a key is used for. */
  use(merchant: MerchantId, { key, bodyHash }: RequestKey, made: string): void {
    this.#sql.exec(
      "INSERT INTO requests (merchant, request, hash, made) VALUES (?, ?, ?, ?)",
      ...[merchant, key, bodyHash, made],
    );
  }

  /** How many addresses are left. */
  left(): number {
    return v.parse(count, this.#first("SELECT count(*) AS count FROM addresses")).count;
  }

  #first(query: string, ...values: (string | number)[]): unknown {
    const [row] = this.#sql.exec(query, ...values);
    return row;
  }
}
