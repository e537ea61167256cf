/**
 * Refunds, found by id, by claim, by invoice and by time of making; and those that a wallet is to be asked about.
 *
 * The index rows of a refund are written with it. That of its invoice is there while the refund takes something of what was paid.
 */
import type { ClaimId, InvoiceId, MerchantId, RefundId } from "@svc/shared/base/brand.ts";
import { asMerchantId, asRefundId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { refundSchema } from "@svc/shared/invoice/refundCodec.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  countOf,
  keysFrom,
  nameKey,
  numberKey,
  pairsFrom,
  pairsIn,
  readNameKey,
  readNumberKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import { INDEXED, invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** A place in a merchant's list, from which it goes on. */
export type RefundPlace = { readonly createdMs: bigint; readonly id: RefundId };

/** A refund that is due, without its content. */
export type DueRefund = { readonly merchant: MerchantId; readonly id: RefundId };

const TIME_BYTES = 8;
const ID_BYTES = 16;

/** The refunds. Reads throw as those of `RowTable` do. */
export class RefundTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.refunds,
    name: "refunds",
    codec: jsonCodec(refundSchema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A refund, or undefined. */
  get(id: RefundId, reader: StoreReader = this.#store): Refund | undefined {
    return this.#rows.get(reader, refundKey(id));
  }

  /** The refund of a claim, or undefined. */
  at(claim: ClaimId, reader: StoreReader = this.#store): Refund | undefined {
    const key = reader.get(GATEWAY_TABLES.refundsByClaim, claimKey(claim));
    return key === undefined ? undefined : this.#rows.get(reader, key);
  }

  /** The refunds of an invoice that take something of what was paid, or may. */
  of(invoice: InvoiceId, reader: StoreReader = this.#store): readonly Refund[] {
    const pairs = pairsFrom(reader, GATEWAY_TABLES.refundsByInvoice, invoiceKey(invoice));
    return [...pairs].map(({ key }) => this.#atEnd(key, reader));
  }

  /** Writes a refund and its index rows. */
  put(batch: StoreBatch, refund: Refund): void {
    const { id, claim, merchant, invoice, createdMs } = refund.terms;
    const key = refundKey(id);
    const before = this.#rows.get(batch, key);
    this.#rows.put(batch, key, refund);
    if (before === undefined) {
      const byTime = concatBytes(nameKey(merchant), numberKey(createdMs), key);
      batch.put(GATEWAY_TABLES.refundsByTime, byTime, INDEXED);
      batch.put(GATEWAY_TABLES.refundsByClaim, claimKey(claim), key);
    }
    const byInvoice = concatBytes(invoiceKey(invoice), key);
    batch.put(GATEWAY_TABLES.refundsByInvoice, byInvoice, takes(refund) ? INDEXED : null);
    const was = before?.dueMs ?? null;
    if (was === refund.dueMs) return;
    if (was !== null) batch.put(GATEWAY_TABLES.refundsDue, dueKey(was, refund), null);
    if (refund.dueMs !== null) {
      batch.put(GATEWAY_TABLES.refundsDue, dueKey(refund.dueMs, refund), INDEXED);
    }
  }

  /** At most `limit` of a merchant's refunds, the newest first, from behind a place on. */
  list(merchant: MerchantId, after: RefundPlace | null, limit: number): readonly Refund[] {
    const prefix = nameKey(merchant);
    const { from, to } = keysFrom(prefix);
    const end =
      after === null ? to : concatBytes(prefix, numberKey(after.createdMs), refundKey(after.id));
    const table = GATEWAY_TABLES.refundsByTime;
    const pairs = this.#store.range({ table, from, to: end, limit, reverse: true });
    return pairs.map(({ key }) => this.#atEnd(key, this.#store));
  }

  /** All that are due, those due longest first, read as they are taken. */
  *due(nowMs: bigint): Generator<DueRefund, void> {
    const [from, to] = [numberKey(0n), numberKey(nowMs + 1n)];
    for (const { key } of pairsIn(this.#store, { table: GATEWAY_TABLES.refundsDue, from, to })) {
      const name = readNameKey(key.subarray(TIME_BYTES));
      if (name === null) throw this.#rows.corrupt("key");
      yield { merchant: asMerchantId(name.name), id: idAtEnd(key) };
    }
  }

  /** When the next refund behind a time is due, ms; null for never. */
  nextDueMs(nowMs: bigint): bigint | null {
    const { to } = keysFrom(Uint8Array.of());
    const range = { from: numberKey(nowMs + 1n), to, limit: 1 };
    const [first] = this.#store.range({ table: GATEWAY_TABLES.refundsDue, ...range });
    return first === undefined ? null : readNumberKey(first.key);
  }

  /** Checks all rows and the number of their index rows. */
  audit(tell: TellFlaw): void {
    let [count, taking, due] = [0, 0, 0];
    for (const { row } of this.#rows.audit(this.#store, tell)) {
      count += 1;
      if (takes(row)) taking += 1;
      if (row.dueMs !== null) due += 1;
    }
    const expected = [
      ["refunds_by_time", GATEWAY_TABLES.refundsByTime, count],
      ["refunds_by_claim", GATEWAY_TABLES.refundsByClaim, count],
      ["refunds_by_invoice", GATEWAY_TABLES.refundsByInvoice, taking],
      ["refunds_due", GATEWAY_TABLES.refundsDue, due],
    ] as const;
    for (const [name, table, rows] of expected) {
      tellCounts(tell, name, { found: countOf(this.#store, table), expected: rows });
    }
  }

  #atEnd(key: Uint8Array, reader: StoreReader): Refund {
    const refund = this.get(idAtEnd(key), reader);
    if (refund === undefined) throw this.#rows.corrupt("an index row without a refund");
    return refund;
  }
}

function takes({ state, moved }: Refund): boolean {
  return state === "failed" ? moved > 0n : state !== "cancelled";
}

function refundKey(id: RefundId): Uint8Array<ArrayBuffer> {
  return decodeHex(id.slice("ref_".length));
}

function claimKey(claim: ClaimId): Uint8Array<ArrayBuffer> {
  return decodeHex(claim.slice("clm_".length));
}

function idAtEnd(key: Uint8Array): RefundId {
  return asRefundId(`ref_${encodeHex(key.subarray(-ID_BYTES))}`);
}

function dueKey(at: bigint, { terms }: Refund): Uint8Array {
  return concatBytes(numberKey(at), nameKey(terms.merchant), refundKey(terms.id));
}
