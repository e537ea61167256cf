/** A table of rows of one type: what their content means, and the check of what is read. Their form is that of `rowForm.ts`. */
import * as v from "valibot";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { STORAGE_LIMITS } from "../storageLimits.ts";
import { openRow, readRow, writeRow } from "./rowForm.ts";
import type { RowSeal } from "./rowSeal.ts";
import { pairsFrom, type StoreReader } from "./storeKeys.ts";
import type { TellFlaw } from "./storeFlaw.ts";
import type { StoreBatch } from "./storeBatch.ts";

/** The bytes of a row without version and sum. */
export type RowCodec<T> = {
  encode(row: T): Uint8Array;
  /** Throws for bytes that are none. */
  decode(body: Uint8Array): T;
};

/** A row and its key. */
export type KeyedRow<T> = { readonly key: Uint8Array; readonly row: T };

/** Makes the codec of rows that are stored as JSON. */
export function jsonCodec<T>(schema: v.GenericSchema<unknown, T>): RowCodec<T> {
  return {
    encode: (row) => new TextEncoder().encode(stableJson(row)),
    decode(body) {
      const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
      const result = v.safeParse(schema, json);
      if (result.success) return result.output;
      throw new TypeError(`field ${v.getDotPath(result.issues[0]) ?? "none"}`);
    },
  };
}

/** What a table is made from. */
export type RowTableOptions<T> = {
  readonly table: number;
  /** For errors. */
  readonly name: string;
  readonly codec: RowCodec<T>;
  /** What hides its rows; null for what everybody knows, and for a daemon without a secret. */
  readonly seal: RowSeal | null;
};

/** Rows of one type by their keys. Every read throws `store/corrupt` for a damaged row and `wallet/locked` for a sealed one without a seal. */
export class RowTable<T> {
  readonly #options: RowTableOptions<T>;

  constructor(options: RowTableOptions<T>) {
    this.#options = options;
  }

  /** The row of a key, or undefined. */
  get(reader: StoreReader, key: Uint8Array): T | undefined {
    const value = reader.get(this.#options.table, key);
    return value === undefined ? undefined : this.#read(key, value);
  }

  /** The rows whose keys begin with these bytes, ascending. */
  *from(reader: StoreReader, prefix: Uint8Array): Generator<KeyedRow<T>, void> {
    for (const { key, value } of pairsFrom(reader, this.#options.table, prefix)) {
      yield { key, row: this.#read(key, value) };
    }
  }

  /** At most `limit` rows of a range, ascending. */
  page(
    reader: StoreReader,
    range: { readonly from: Uint8Array; readonly to: Uint8Array; readonly limit: number },
  ): readonly KeyedRow<T>[] {
    return reader
      .range({ ...range, table: this.#options.table })
      .map(({ key, value }) => ({ key, row: this.#read(key, value) }));
  }

  /** All rows that read; of each other one `tell` hears. */
  *audit(reader: StoreReader, tell: TellFlaw): Generator<KeyedRow<T>, void> {
    const { table, name } = this.#options;
    for (const { key, value } of pairsFrom(reader, table, Uint8Array.of())) {
      let row: T;
      try {
        row = this.#read(key, value);
      } catch (error) {
        tell(
          name,
          SvcError.is(error, "store/corrupt") ? (error.data.reason ?? "content") : "a sealed row",
        );
        continue;
      }
      yield { key, row };
    }
  }

  /** Writes a row. Throws `store/commit-failed` for one that is too long. */
  put(batch: StoreBatch, key: Uint8Array, row: T): void {
    const { table, name, codec, seal } = this.#options;
    const value = writeRow({ table, key }, codec.encode(row), seal);
    if (value.length > STORAGE_LIMITS.storeRowBytes) {
      throw new SvcError("store/commit-failed", {
        reason: `a row of ${name} of ${value.length} bytes`,
      });
    }
    batch.put(table, key, value);
  }

  /** Deletes a row; does nothing when there is none. */
  delete(batch: StoreBatch, key: Uint8Array): void {
    batch.put(this.#options.table, key, null);
  }

  /** The error of a damaged row. */
  corrupt(reason: string, cause?: unknown): SvcError {
    return new SvcError("store/corrupt", { table: this.#options.name, reason }, cause);
  }

  #read(key: Uint8Array, value: Uint8Array): T {
    const { table, codec, seal } = this.#options;
    try {
      const row = readRow({ table, key }, value);
      if (!row.isSealed) return codec.decode(row.body);
      if (seal === null) throw new SvcError("wallet/locked", {});
      return codec.decode(openRow({ table, key }, row, seal));
    } catch (cause) {
      if (SvcError.is(cause, "wallet/locked")) throw cause;
      throw this.corrupt(cause instanceof Error ? cause.message : "content", cause);
    }
  }
}
