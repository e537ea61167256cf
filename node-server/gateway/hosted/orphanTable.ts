/**
 * Payments that lost their block, by the blue score of the tip at which they did: a gateway that has lost what it was told hears of them again.
 * The newest of a bound are kept, as deep as payments are.
 */
import * as v from "valibot";
import type { BlockHash, BlueScore, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import { paymentOutput } from "@svc/shared/invoice/invoiceCodec.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, pairsFrom, pairsIn, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** A payment that lost its block. */
export type OrphanRow = {
  readonly key: ViewingKeyId;
  /** Index of the address that it pays. */
  readonly index: number;
  readonly output: PaymentOutput;
  /** Hash of the block that it lost. */
  readonly block: BlockHash;
};

const schema: v.GenericSchema<unknown, OrphanRow> = v.object({
  key: fields.viewingKeyId,
  index: fields.u32,
  output: paymentOutput,
  block: fields.blockHash,
});

/** The payments. Reads throw as those of `RowTable` do. */
export class OrphanTable {
  readonly #store: StoreReader;
  readonly #table: number;
  readonly #rows: RowTable<OrphanRow>;

  constructor(store: StoreReader, table: number) {
    this.#store = store;
    this.#table = table;
    this.#rows = new RowTable({ table, name: "orphans", codec: jsonCodec(schema), seal: null });
  }

  /** All of them, those that lost their block first in front. */
  *all(reader: StoreReader = this.#store): Generator<OrphanRow, void> {
    for (const { row } of this.#rows.from(reader, Uint8Array.of())) yield row;
  }

  /** Writes those among the facts of a step that ends at a tip, and forgets what is too old or too much. */
  take(batch: StoreBatch, tip: BlueScore, facts: readonly PaymentFact[]): void {
    let isNews = false;
    for (const { key, index, input } of facts) {
      if (input.kind !== "orphaned") continue;
      isNews = true;
      const { output, block } = input;
      const place = concatBytes(numberKey(tip), decodeHex(output.cmx), decodeHex(block));
      this.#rows.put(batch, place, { key, index, output, block });
    }
    const least = tip - GATEWAY_LIMITS.foundKept;
    if (least > 0n) {
      const range = { from: Uint8Array.of(), to: numberKey(least) };
      for (const { key } of pairsIn(batch, { table: this.#table, ...range })) {
        this.#rows.delete(batch, key);
      }
    }
    if (isNews) this.#bound(batch);
  }

  #bound(batch: StoreBatch): void {
    const keys = [...pairsFrom(batch, this.#table, Uint8Array.of())].map(({ key }) => key);
    const over = keys.length - GATEWAY_LIMITS.orphansKept;
    for (const key of keys.slice(0, Math.max(0, over))) this.#rows.delete(batch, key);
  }
}
