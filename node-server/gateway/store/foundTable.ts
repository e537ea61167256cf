/** Payments by the chain block that accepts them: what a reorganisation takes back. */
import * as v from "valibot";
import type { ChainIndex, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { AcceptingBlock, PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import { acceptingBlock, paymentOutput } from "@svc/shared/invoice/invoiceCodec.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, pairsIn, type StoreReader } from "../../storage/rows/storeKeys.ts";

/** A payment that a block accepts. */
export type FoundRow = {
  readonly key: ViewingKeyId;
  /** Index of the address that it pays. */
  readonly index: number;
  readonly output: PaymentOutput;
  readonly block: AcceptingBlock;
};

const schema: v.GenericSchema<unknown, FoundRow> = v.object({
  key: fields.viewingKeyId,
  index: fields.u32,
  output: paymentOutput,
  block: acceptingBlock,
});

/** The payments by chain index. Reads throw as those of `RowTable` do. */
export class FoundTable {
  readonly #store: StoreReader;
  readonly #table: number;
  readonly #rows: RowTable<FoundRow>;

  constructor(store: StoreReader, table: number) {
    this.#store = store;
    this.#table = table;
    this.#rows = new RowTable({ table, name: "found", codec: jsonCodec(schema), seal: null });
  }

  /** The payments above a chain index, the lowest first; null for all. */
  *above(index: ChainIndex | null, reader: StoreReader = this.#store): Generator<FoundRow, void> {
    const range = { from: aboveKey(index), to: KEYS_END };
    for (const { key } of pairsIn(reader, { table: this.#table, ...range })) {
      const row = this.#rows.get(reader, key);
      if (row !== undefined) yield row;
    }
  }

  /** Writes a payment that a block accepts. */
  put(batch: StoreBatch, index: ChainIndex, row: FoundRow): void {
    this.#rows.put(batch, concatBytes(numberKey(index), decodeHex(row.output.cmx)), row);
  }

  /** Forgets what lies above a chain index; null for all. */
  cut(batch: StoreBatch, index: ChainIndex | null): void {
    this.#delete(batch, aboveKey(index), KEYS_END);
  }

  /** Forgets what lies below a chain index. */
  forget(batch: StoreBatch, index: bigint): void {
    if (index > 0n) this.#delete(batch, Uint8Array.of(), numberKey(index));
  }

  #delete(batch: StoreBatch, from: Uint8Array, to: Uint8Array): void {
    for (const { key } of pairsIn(batch, { table: this.#table, from, to })) {
      this.#rows.delete(batch, key);
    }
  }
}

function aboveKey(index: ChainIndex | null): Uint8Array {
  return index === null ? Uint8Array.of() : numberKey(index + 1n);
}
