/** Sessions of tills that are signed in, and the devices that were. A token is nowhere: its row stands under its hash. */
import * as v from "valibot";
import { asHash32, type Hash32, type TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, numberKey, pairsFrom, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/** A session. */
export type TillSessionRow = {
  readonly till: string;
  /** Of the password that opened it: with another one it is over. */
  readonly passwordId: string;
  readonly expiresMs: TimestampMs;
};

/** A row and the hash under which it stands. */
export type PlacedSession = { readonly token: Hash32; readonly row: TillSessionRow };

const schema: v.GenericSchema<unknown, TillSessionRow> = v.object({
  till: v.string(),
  passwordId: v.string(),
  expiresMs: fields.timestampMs,
});

const HASH_BYTES = 32;
const NONE = Uint8Array.of();

/** Where rows stand, and their index by till. */
export type TillTables = {
  readonly name: string;
  readonly rows: number;
  readonly byTill: number;
};

/** The tables of the sessions. */
export const TILL_SESSIONS: TillTables = {
  name: "till_sessions",
  rows: GATEWAY_TABLES.tillSessions,
  byTill: GATEWAY_TABLES.tillSessionsByTill,
};

/** The tables of the devices. */
export const TILL_DEVICES: TillTables = {
  name: "till_devices",
  rows: GATEWAY_TABLES.tillDevices,
  byTill: GATEWAY_TABLES.tillDevicesByTill,
};

/** The sessions, or the devices, by SHA-256. Reads throw as those of `RowTable` do. */
export class TillSessionTable {
  readonly #store: StoreReader;
  readonly #byTill: number;
  readonly #rows: RowTable<TillSessionRow>;

  constructor(store: StoreReader, { name, rows, byTill }: TillTables) {
    this.#store = store;
    this.#byTill = byTill;
    this.#rows = new RowTable({ table: rows, name, codec: jsonCodec(schema), seal: null });
  }

  /** The session of a token, or undefined. */
  get(token: Hash32, reader: StoreReader = this.#store): TillSessionRow | undefined {
    return this.#rows.get(reader, decodeHex(token));
  }

  /** The sessions of a till, the one that ends first first. */
  of(till: string, reader: StoreReader = this.#store): readonly PlacedSession[] {
    const pairs = pairsFrom(reader, this.#byTill, nameKey(till));
    return [...pairs].flatMap(({ key }) => {
      const token = asHash32(encodeHex(key.slice(-HASH_BYTES)));
      const row = this.get(token, reader);
      if (row === undefined) throw this.#rows.corrupt("an index row without a session");
      return [{ token, row }];
    });
  }

  /** Writes a session. */
  put(batch: StoreBatch, { token, row }: PlacedSession): void {
    this.#rows.put(batch, decodeHex(token), row);
    batch.put(this.#byTill, indexOf({ token, row }), NONE);
  }

  /** Removes a session. */
  delete(batch: StoreBatch, { token, row }: PlacedSession): void {
    this.#rows.delete(batch, decodeHex(token));
    batch.put(this.#byTill, indexOf({ token, row }), null);
  }
}

function indexOf({ token, row }: PlacedSession): Uint8Array {
  return concatBytes(nameKey(row.till), numberKey(row.expiresMs), decodeHex(token));
}
