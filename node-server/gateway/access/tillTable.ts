/** The tills of merchants. A password is nowhere: its row has the hash. */
import * as v from "valibot";
import type { MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { ACCESS_TABLES } from "./accessLayout.ts";
import type { PasswordHash } from "./passwordHash.ts";

/** A till. */
export type TillRow = {
  readonly name: string;
  readonly merchant: MerchantId;
  /** Null for coins alone. */
  readonly currency: string | null;
  readonly timeZone: string;
  /** Percentages of its tips. */
  readonly tips: readonly number[];
  readonly password: PasswordHash;
  /** Another one with each password: sessions are of one. */
  readonly passwordId: string;
  readonly createdMs: TimestampMs;
};

const password: v.GenericSchema<unknown, PasswordHash> = v.object({
  ...{ n: fields.u32, r: fields.u32, p: fields.u32 },
  ...{ salt: fields.hex, hash: fields.hex },
});

const schema: v.GenericSchema<unknown, TillRow> = v.object({
  name: v.string(),
  merchant: fields.merchantId,
  currency: v.nullable(v.string()),
  timeZone: v.string(),
  tips: v.array(fields.u32),
  password,
  passwordId: v.string(),
  createdMs: fields.timestampMs,
});

/** The tills by their names. Reads throw as those of `RowTable` do. */
export class TillTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: ACCESS_TABLES.tills,
    name: "tills",
    codec: jsonCodec(schema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A till, or undefined. */
  get(name: string, reader: StoreReader = this.#store): TillRow | undefined {
    return this.#rows.get(reader, nameKey(name));
  }

  /** All tills. */
  all(reader: StoreReader = this.#store): readonly TillRow[] {
    return [...this.#rows.from(reader, Uint8Array.of())].map(({ row }) => row);
  }

  /** Writes a till. */
  put(batch: StoreBatch, row: TillRow): void {
    this.#rows.put(batch, nameKey(row.name), row);
  }

  /** Removes a till; does nothing where there is none. */
  delete(batch: StoreBatch, name: string): void {
    this.#rows.delete(batch, nameKey(name));
  }
}
