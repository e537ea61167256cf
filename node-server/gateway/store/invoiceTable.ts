/**
 * Invoices, found by id, by address, by order and by time of making; and those that time or the tip will change.
 *
 * The index rows of an invoice are written with it: its terms say where they stand, and its state whether it waits for a time or
 * for the tip.
 */
import type { InvoiceId, MerchantId, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { decodeInvoice, encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import { nextLookMs, settlesAt } from "@svc/shared/invoice/reduceInvoice.ts";
import { RowTable, type RowCodec } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import {
  countOf,
  keyAfter,
  keysFrom,
  nameKey,
  numberKey,
  pairsFrom,
  readNumberKey,
  textKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import type { WaitingPayment } from "../scan/earlierWaiting.ts";
import { addressKey, INDEXED, invoiceAtEnd, invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** An invoice, and the blue score of the sink at which a payment of it is deep. */
export type SettlingPlace = { readonly id: InvoiceId; readonly score: bigint };

/** A place in a merchant's list, from which it goes on. */
export type ListPlace = { readonly createdMs: bigint; readonly id: InvoiceId };

const codec: RowCodec<Invoice> = {
  encode: (invoice) => new TextEncoder().encode(encodeInvoice(invoice)),
  decode: (body) => decodeInvoice(new TextDecoder("utf-8", { fatal: true }).decode(body)),
};

/** The invoices. Reads throw as those of `RowTable` do. */
export class InvoiceTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.invoices,
    name: "invoices",
    codec,
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** An invoice, or undefined. */
  get(id: InvoiceId, reader: StoreReader = this.#store): Invoice | undefined {
    return this.#rows.get(reader, invoiceKey(id));
  }

  /** The invoice that has an address, or undefined. */
  at(key: ViewingKeyId, index: number, reader: StoreReader = this.#store): Invoice | undefined {
    const id = reader.get(GATEWAY_TABLES.invoicesByAddress, addressKey(key, index));
    return id === undefined ? undefined : this.#rows.get(reader, id);
  }

  /** Writes an invoice and its index rows. */
  put(batch: StoreBatch, invoice: Invoice): void {
    const key = invoiceKey(invoice.terms.id);
    const before = this.#rows.get(batch, key);
    this.#rows.put(batch, key, invoice);
    if (before === undefined) this.#putPlaces(batch, invoice, INDEXED);
    changeIndexes(batch, key, before, invoice);
  }

  /** Forgets an invoice and its index rows. Its address is nobody's then. */
  delete(batch: StoreBatch, id: InvoiceId): void {
    const key = invoiceKey(id);
    const before = this.#rows.get(batch, key);
    if (before === undefined) return;
    this.#rows.delete(batch, key);
    this.#putPlaces(batch, before, null);
    changeIndexes(batch, key, before, undefined);
  }

  /** Writes, or with null deletes, the index rows that an invoice has for as long as it exists. */
  #putPlaces(batch: StoreBatch, { terms }: Invoice, content: Uint8Array | null): void {
    const { id, merchant, orderId, createdMs, address } = terms;
    const key = invoiceKey(id);
    const made = concatBytes(numberKey(createdMs), key);
    const byTime = concatBytes(nameKey(merchant), made);
    const byOrder = concatBytes(nameKey(merchant), textKey(orderId), made);
    batch.put(GATEWAY_TABLES.invoicesByTime, byTime, content);
    batch.put(GATEWAY_TABLES.invoicesByOrder, byOrder, content);
    const at = addressKey(address.key, address.index);
    batch.put(GATEWAY_TABLES.invoicesByAddress, at, content === null ? null : key);
  }

  /** At most `limit` invoices whose time has come, those due longest first. */
  due(nowMs: bigint, limit: number): readonly InvoiceId[] {
    const [from, to] = [numberKey(0n), numberKey(nowMs + 1n)];
    const table = GATEWAY_TABLES.invoicesDue;
    return this.#store.range({ table, from, to, limit }).map(({ key }) => invoiceAtEnd(key));
  }

  /** When the next invoice is due, ms; null for never. */
  nextDueMs(): bigint | null {
    const range = keysFrom(Uint8Array.of());
    const [first] = this.#store.range({ table: GATEWAY_TABLES.invoicesDue, ...range, limit: 1 });
    return first === undefined ? null : timeOf(first.key);
  }

  /** At most `limit` invoices of which a payment is deep with the sink at this blue score, from behind a place on. */
  settling(
    tip: bigint,
    limit: number,
    after: SettlingPlace | null = null,
  ): readonly SettlingPlace[] {
    const from =
      after === null ? numberKey(0n) : keyAfter(dueKey(after.score, invoiceKey(after.id)));
    const range = { table: GATEWAY_TABLES.invoicesOnTip, from, to: numberKey(tip + 1n), limit };
    return this.#store.range(range).map(({ key }) => {
      return { id: invoiceAtEnd(key), score: readNumberKey(key) ?? 0n };
    });
  }

  /** The payments that wait in the pool, by what the scan told last. */
  *waiting(reader: StoreReader = this.#store): Generator<WaitingPayment, void> {
    for (const { key } of pairsFrom(reader, GATEWAY_TABLES.invoicesInPool, Uint8Array.of())) {
      const invoice = this.#rows.get(reader, key);
      if (invoice === undefined) throw this.#rows.corrupt("an index row without an invoice");
      const { key: viewingKey, index } = invoice.terms.address;
      for (const { output, place } of invoice.payments) {
        if (place.kind === "pool") yield { key: viewingKey, index, output };
      }
    }
  }

  /** At most `limit` of a merchant's invoices, the newest first, from behind a place on. */
  list(merchant: MerchantId, after: ListPlace | null, limit: number): readonly Invoice[] {
    return this.#listed(GATEWAY_TABLES.invoicesByTime, nameKey(merchant), after, limit);
  }

  /** The same of one order. */
  listOrder(
    merchant: MerchantId,
    orderId: string,
    after: ListPlace | null,
    limit: number,
  ): readonly Invoice[] {
    const prefix = concatBytes(nameKey(merchant), textKey(orderId));
    return this.#listed(GATEWAY_TABLES.invoicesByOrder, prefix, after, limit);
  }

  #listed(
    table: number,
    prefix: Uint8Array,
    after: ListPlace | null,
    limit: number,
  ): readonly Invoice[] {
    const { from, to } = keysFrom(prefix);
    const end =
      after === null ? to : concatBytes(prefix, numberKey(after.createdMs), invoiceKey(after.id));
    const pairs = this.#store.range({ table, from, to: end, limit, reverse: true });
    return pairs.map(({ key }) => {
      const invoice = this.get(invoiceAtEnd(key));
      if (invoice === undefined) throw this.#rows.corrupt("an index row without an invoice");
      return invoice;
    });
  }

  /** Checks all rows and the number of their index rows. */
  audit(tell: TellFlaw): void {
    let [count, due, watching, inPool] = [0, 0, 0, 0];
    for (const { row } of this.#rows.audit(this.#store, tell)) {
      count += 1;
      if (nextLookMs(row) !== null) due += 1;
      if (settlesAt(row) !== null) watching += 1;
      if (hasWaiting(row)) inPool += 1;
    }
    const expected = [
      ["invoices_by_time", GATEWAY_TABLES.invoicesByTime, count],
      ["invoices_by_order", GATEWAY_TABLES.invoicesByOrder, count],
      ["invoices_by_address", GATEWAY_TABLES.invoicesByAddress, count],
      ["invoices_due", GATEWAY_TABLES.invoicesDue, due],
      ["invoices_on_tip", GATEWAY_TABLES.invoicesOnTip, watching],
      ["invoices_in_pool", GATEWAY_TABLES.invoicesInPool, inPool],
    ] as const;
    for (const [name, table, rows] of expected) {
      tellCounts(tell, name, { found: countOf(this.#store, table), expected: rows });
    }
  }
}

/** The index rows of what time, tip and pool will change: those of an invoice as it was make room for those of it as it is. */
function changeIndexes(
  batch: StoreBatch,
  key: Uint8Array,
  before: Invoice | undefined,
  after: Invoice | undefined,
): void {
  const { invoicesDue, invoicesOnTip, invoicesInPool } = GATEWAY_TABLES;
  const of = <T>(read: (invoice: Invoice) => T | null) =>
    [before, after].map((invoice) => (invoice === undefined ? null : read(invoice)));
  for (const [table, [was = null, is = null]] of [
    [invoicesDue, of(nextLookMs)],
    [invoicesOnTip, of(settlesAt)],
  ] as const) {
    if (was === is) continue;
    if (was !== null) batch.put(table, dueKey(was, key), null);
    if (is !== null) batch.put(table, dueKey(is, key), INDEXED);
  }
  const [waited, waits] = of(hasWaiting);
  if (waited !== waits) batch.put(invoicesInPool, key, waits === true ? INDEXED : null);
}

function hasWaiting({ payments }: Invoice): boolean {
  return payments.some(({ place }) => place.kind === "pool");
}

function dueKey(at: bigint, key: Uint8Array): Uint8Array {
  return concatBytes(numberKey(at), key);
}

function timeOf(key: Uint8Array): bigint {
  return readNumberKey(key) ?? 0n;
}
