/** What scoped tokens have spent: a sum for each token and day, and for each job what it was charged with, to take it back. */
import * as v from "valibot";
import { asSompi, type Sompi } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import {
  keysFrom,
  numberKey,
  pairsFrom,
  readNumberKey,
  textKey,
  nameKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** What a job was charged with. */
export type Charge = {
  /** SHA-256 of the token's credential, as hex. */
  readonly hash: string;
  /** Days since 1970 (UTC). */
  readonly day: bigint;
  readonly sompi: Sompi;
};

const HASH_BYTES = 32;

/** The charges. Reads throw as those of `RowTable` do. */
export class ChargeTable {
  readonly #store: StoreReader;
  readonly #sums = new RowTable({
    table: STORE_TABLES.charges,
    name: "charges",
    codec: jsonCodec<{ readonly sompi: Sompi }>(v.object({ sompi: fields.sompi })),
    seal: null,
  });
  readonly #charges = new RowTable({
    table: STORE_TABLES.chargesById,
    name: "charges_by_id",
    codec: jsonCodec<Charge>(
      v.object({ hash: fields.hash32, day: fields.u64, sompi: fields.sompi }),
    ),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The last day on which a token spent, and its sum; null before the first. */
  lastDay(
    hash: string,
    reader: StoreReader = this.#store,
  ): { readonly day: bigint; readonly sompi: Sompi } | null {
    const token = decodeHex(hash, HASH_BYTES);
    const range = { ...keysFrom(token), table: STORE_TABLES.charges, limit: 1, reverse: true };
    const [last] = reader.range(range);
    const day = last === undefined ? null : readNumberKey(last.key.subarray(HASH_BYTES));
    if (last === undefined || day === null) return null;
    return { day, sompi: this.#sums.get(reader, last.key)?.sompi ?? asSompi(0n) };
  }

  /** What a job is charged with, or undefined. */
  get(token: string, id: string, reader: StoreReader = this.#store): Charge | undefined {
    return this.#charges.get(reader, chargeKey(token, id));
  }

  /** Sets what a job is charged with, null for nothing any more, and the sum of its day with it. Sums of earlier days go. */
  set(batch: StoreBatch, token: string, id: string, charge: Charge | null): void {
    const before = this.get(token, id, batch);
    if (before !== undefined) this.#add(batch, before, 0n - before.sompi);
    if (charge === null) this.#charges.delete(batch, chargeKey(token, id));
    else {
      this.#charges.put(batch, chargeKey(token, id), charge);
      this.#dropBefore(batch, charge);
      this.#add(batch, charge, charge.sompi);
    }
  }

  /** Tells which charges and sums do not read. */
  audit(tell: TellFlaw): void {
    for (const _sum of this.#sums.audit(this.#store, tell)) continue;
    for (const _charge of this.#charges.audit(this.#store, tell)) continue;
  }

  /** Forgets the sums of a token. */
  deleteToken(batch: StoreBatch, hash: string): void {
    const token = decodeHex(hash, HASH_BYTES);
    for (const { key } of pairsFrom(batch, STORE_TABLES.charges, token)) {
      this.#sums.delete(batch, key);
    }
  }

  /** Forgets the committed charges of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.chargesById, nameKey(token))) {
      this.#charges.delete(batch, key);
    }
  }

  /** A day whose sum is gone is over: nothing is added to it. */
  #add(batch: StoreBatch, { hash, day }: Charge, sompi: bigint): void {
    const key = sumKey(hash, day);
    const sum = this.#sums.get(batch, key)?.sompi;
    if (sum === undefined && sompi < 0n) return;
    const next = (sum ?? 0n) + sompi;
    this.#sums.put(batch, key, { sompi: asSompi(next < 0n ? 0n : next) });
  }

  #dropBefore(batch: StoreBatch, { hash, day }: Charge): void {
    const token = decodeHex(hash, HASH_BYTES);
    const to = sumKey(hash, day);
    const old = batch.range({ table: STORE_TABLES.charges, from: token, to, limit: 10 });
    for (const { key } of old) this.#sums.delete(batch, key);
  }
}

function sumKey(hash: string, day: bigint): Uint8Array {
  return concatBytes(decodeHex(hash, HASH_BYTES), numberKey(day));
}

function chargeKey(token: string, id: string): Uint8Array {
  return concatBytes(nameKey(token), textKey(id));
}
