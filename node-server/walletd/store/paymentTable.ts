/** Payments of all wallets, their signed bytes included: written before anything of them leaves this machine. */
import { concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import { paymentSchema } from "@svc/shared/wallet/state/paymentSchema.ts";
import type { RowSeal } from "./rowSeal.ts";
import { jsonCodec, RowTable } from "./rowTable.ts";
import type { TellFlaw } from "./storeFlaw.ts";
import { pairsFrom, readWalletKey, walletKey, type StoreReader } from "./storeKeys.ts";
import type { WalletBatch } from "./walletBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** The payments by wallet and id. Reads throw as those of `RowTable` do. */
export class PaymentTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<Payment>;

  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    const codec = jsonCodec(paymentSchema);
    this.#rows = new RowTable({ table: STORE_TABLES.payments, name: "payments", codec, seal });
  }

  /** A payment, or undefined. */
  get(token: string, id: string, reader: StoreReader = this.#store): Payment | undefined {
    return this.#rows.get(reader, keyOf(token, id));
  }

  /** All payments of a wallet, in the order of their ids. */
  *ofWallet(token: string, reader: StoreReader = this.#store): Generator<Payment, void> {
    for (const { row } of this.#rows.from(reader, walletKey(token))) yield row;
  }

  /** Stores a payment, or what became of it. */
  put(batch: WalletBatch, token: string, payment: Payment): void {
    this.#rows.put(batch, keyOf(token, payment.id), payment);
  }

  /** Forgets a payment. */
  delete(batch: WalletBatch, token: string, id: string): void {
    this.#rows.delete(batch, keyOf(token, id));
  }

  /** Checks all rows. */
  audit(tell: TellFlaw): void {
    for (const { key, row } of this.#rows.audit(this.#store, tell)) {
      const token = readWalletKey(key)?.token ?? "";
      const isInPlace = token !== "" && equalBytes(key, keyOf(token, row.id));
      if (!isInPlace) tell("payments", "a payment under another key");
    }
  }

  /** Forgets the committed payments of a wallet that is deleted. */
  deleteWallet(batch: WalletBatch, token: string): void {
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.payments, walletKey(token))) {
      this.#rows.delete(batch, key);
    }
  }
}

function keyOf(token: string, id: string): Uint8Array {
  return concatBytes(walletKey(token), new TextEncoder().encode(id));
}
