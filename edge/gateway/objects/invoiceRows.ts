/** What an invoice's object stores: the invoice with the receipts of its payments, and what was told of it. Reads of an object that has no invoice leave no trace. */
import * as v from "valibot";
import { asTimestampMs, type BlockHash, type NoteCommitment } from "@svc/shared/base/brand.ts";
import { eventBodyOf } from "@svc/shared/gateway/eventBodyOf.ts";
import type { ToldEvent } from "@svc/shared/gateway/gatewayPorts.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { decodeInvoice, encodeInvoice, invoiceStatus } from "@svc/shared/invoice/invoiceCodec.ts";
import { invoiceEventType, type InvoiceEvent } from "@svc/shared/invoice/invoiceEvent.ts";
import { ReceiptRows, type ToldReceipt } from "./receiptRows.ts";

/** An invoice, and how often it was written. */
export type InvoiceVersion = { readonly invoice: Invoice; readonly revision: number };

const TABLES = `
CREATE TABLE IF NOT EXISTS invoice (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL, json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
  version INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, created_ms INTEGER NOT NULL,
  status TEXT NOT NULL, previous_status TEXT NOT NULL, body TEXT NOT NULL, relayed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS events_to_relay ON events (version) WHERE relayed = 0;`;

const stored = v.object({ revision: v.number(), json: v.string() });
const told = v.pipe(
  v.object({
    version: v.number(),
    id: v.string(),
    type: invoiceEventType,
    created_ms: v.pipe(
      v.number(),
      v.transform((ms) => asTimestampMs(BigInt(ms))),
    ),
    status: invoiceStatus,
    previous_status: invoiceStatus,
    body: v.string(),
  }),
  v.transform(({ created_ms, previous_status, ...same }): ToldEvent => ({
    ...same,
    createdMs: created_ms,
    previousStatus: previous_status,
  })),
);

/** The rows of one object. */
export class InvoiceRows {
  readonly #storage: DurableObjectStorage;
  readonly #receipts: ReceiptRows;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#receipts = new ReceiptRows(storage.sql);
  }

  /** The invoice; null where there is none. */
  read(): InvoiceVersion | null {
    if (!this.#isThere()) return null;
    const row = this.#first("SELECT revision, json FROM invoice");
    if (row === undefined) return null;
    const { revision, json } = v.parse(stored, row);
    return { invoice: decodeInvoice(json), revision };
  }

  /** The file of the receipt of a payment that this block accepts; null for none. */
  receipt(cmx: NoteCommitment, block: BlockHash): ArrayBuffer | null {
    return this.#receipts.file(cmx, block);
  }

  /** Writes the invoice after a change, what was told of receipts, and what is to be told of it, at once. */
  write(
    invoice: Invoice,
    events: readonly InvoiceEvent[],
    place: RecordPlace,
    receipts: readonly ToldReceipt[] = [],
  ): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      sql.exec(TABLES);
      this.#receipts.follow(invoice, receipts);
      sql.exec(
        "INSERT INTO invoice (one, revision, json) VALUES (1, 1, ?1) ON CONFLICT (one) DO UPDATE SET revision = revision + 1, json = ?1",
        encodeInvoice(invoice),
      );
      for (const event of events) {
        sql.exec(
          "INSERT INTO events (version, id, type, created_ms, status, previous_status, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
          ...[event.invoice.version, event.id, event.type, Number(event.createdMs)],
          ...[event.invoice.told.status, event.previousStatus, eventBodyOf(event, place)],
        );
      }
    });
  }

  /** What was told below a version, the newest first. */
  below(version: number, limit: number): readonly ToldEvent[] {
    if (!this.#isThere()) return [];
    const rows = this.#storage.sql.exec(
      "SELECT * FROM events WHERE version < ? ORDER BY version DESC LIMIT ?",
      ...[version, limit],
    );
    return [...rows].map((row) => v.parse(told, row));
  }

  /** What no delivery was made of yet, the oldest first. */
  toRelay(limit: number): readonly ToldEvent[] {
    if (!this.#isThere()) return [];
    const rows = this.#storage.sql.exec(
      "SELECT * FROM events WHERE relayed = 0 ORDER BY version LIMIT ?",
      limit,
    );
    return [...rows].map((row) => v.parse(told, row));
  }

  /** The deliveries of everything up to a version are made. */
  relayed(version: number): void {
    this.#storage.sql.exec(
      "UPDATE events SET relayed = 1 WHERE relayed = 0 AND version <= ?",
      version,
    );
  }

  #isThere(): boolean {
    return this.#first("SELECT 1 FROM sqlite_master WHERE name = 'events'") !== undefined;
  }

  #first(query: string): unknown {
    const [row] = this.#storage.sql.exec(query);
    return row;
  }
}
