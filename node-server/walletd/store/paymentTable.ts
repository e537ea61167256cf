/**
 * Payments of all wallets, their signed bytes included: written before anything of them leaves this machine.
 *
 * A payment that a block has settled for good is put away some time: an open wallet no longer holds it, opening one does not read
 * it, and it is there for whoever asks what became of it.
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import { concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import { isUnsettled, type Payment } from "@svc/shared/wallet/state/payment.ts";
import { paymentSchema } from "@svc/shared/wallet/state/paymentSchema.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { jsonCodec, type RowTable } from "../../storage/rows/rowTable.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  keysFrom,
  pairsFrom,
  readNameKey,
  nameKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { sealedTable } from "./sealedTable.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** Where a payment lies; the numbers are stored. */
const PLACES = { unsettled: 0, kept: 1, away: 2 } as const;
type Place = (typeof PLACES)[keyof typeof PLACES];
const LIVE: readonly Place[] = [PLACES.unsettled, PLACES.kept];
const ALL: readonly Place[] = [...LIVE, PLACES.away];

/** The payments by wallet and id. Reads throw as those of `RowTable` do. */
export class PaymentTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<Payment>;

  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    this.#rows = sealedTable("payments", jsonCodec(paymentSchema), seal);
  }

  /** A payment, or undefined. */
  get(token: string, id: string, reader: StoreReader = this.#store): Payment | undefined {
    for (const place of ALL) {
      const row = this.#rows.get(reader, keyOf(token, place, id));
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** The payments of a wallet that an open one holds in memory. */
  *live(token: string, reader: StoreReader = this.#store): Generator<Payment, void> {
    for (const place of LIVE) yield* this.#beginning(reader, token, place, "");
  }

  /** All payments of a wallet whose ids begin with a text: the live ones first. */
  *ofWallet(
    token: string,
    reader: StoreReader = this.#store,
    begin = "",
  ): Generator<Payment, void> {
    for (const place of ALL) yield* this.#beginning(reader, token, place, begin);
  }

  /** The payment with this transaction, or undefined. */
  ofTransaction(token: string, txid: TxId): Payment | undefined {
    for (const payment of this.ofWallet(token)) {
      if (payment.txid === txid) return payment;
    }
    return undefined;
  }

  /** Whether a wallet has signed payments that are not settled. */
  hasUnsettled(token: string): boolean {
    const range = keysFrom(placeKey(token, PLACES.unsettled));
    return this.#store.range({ ...range, table: STORE_TABLES.payments, limit: 1 }).length > 0;
  }

  /** Stores a payment, or what became of it. */
  put(batch: StoreBatch, token: string, payment: Payment): void {
    this.#move(batch, token, payment, isUnsettled(payment) ? PLACES.unsettled : PLACES.kept);
  }

  /** Stores a payment to which nothing happens any more, out of the way. */
  putAway(batch: StoreBatch, token: string, payment: Payment): void {
    this.#move(batch, token, payment, PLACES.away);
  }

  /** Whether a payment was put away. */
  isAway(token: string, id: string, reader: StoreReader = this.#store): boolean {
    return reader.get(STORE_TABLES.payments, keyOf(token, PLACES.away, id)) !== undefined;
  }

  /** Forgets a payment. */
  delete(batch: StoreBatch, token: string, id: string): void {
    for (const place of ALL) this.#clear(batch, keyOf(token, place, id));
  }

  /** Checks all rows. */
  audit(tell: TellFlaw): void {
    for (const { key, row } of this.#rows.audit(this.#store, tell)) {
      const token = readNameKey(key)?.name ?? "";
      const isInPlace =
        token !== "" && ALL.some((place) => equalBytes(key, keyOf(token, place, row.id)));
      if (!isInPlace) tell("payments", "a payment under another key");
    }
  }

  /** Forgets the committed payments of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.payments, nameKey(token))) {
      this.#rows.delete(batch, key);
    }
  }

  #move(batch: StoreBatch, token: string, payment: Payment, to: Place): void {
    for (const place of ALL) {
      if (place !== to) this.#clear(batch, keyOf(token, place, payment.id));
    }
    this.#rows.put(batch, keyOf(token, to, payment.id), payment);
  }

  #clear(batch: StoreBatch, key: Uint8Array): void {
    if (batch.get(STORE_TABLES.payments, key) !== undefined) this.#rows.delete(batch, key);
  }

  *#beginning(
    reader: StoreReader,
    token: string,
    place: Place,
    begin: string,
  ): Generator<Payment, void> {
    for (const { row } of this.#rows.from(reader, keyOf(token, place, begin))) yield row;
  }
}

function placeKey(token: string, place: Place): Uint8Array {
  return concatBytes(nameKey(token), Uint8Array.of(place));
}

function keyOf(token: string, place: Place, id: string): Uint8Array {
  return concatBytes(placeKey(token, place), new TextEncoder().encode(id));
}
