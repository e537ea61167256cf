/** The remembered blocks of a chain that a program follows, by chain index: consecutive, the oldest first. */
import * as v from "valibot";
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { KEYS_END } from "../kv.ts";
import { jsonCodec, RowTable } from "./rowTable.ts";
import { numberKey, pairsIn, type StoreReader } from "./storeKeys.ts";
import type { StoreBatch } from "./storeBatch.ts";

const schema: v.GenericSchema<unknown, ChainBlock> = v.object({
  hash: fields.blockHash,
  chainIndex: fields.chainIndex,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestamp: fields.timestampMs,
  leafEnd: fields.leafPosition,
});

/** How the view goes on. */
export type ViewChange = {
  /** Blocks above this one are forgotten; null forgets all. */
  readonly common: ChainIndex | null;
  /** What follows, consecutive. */
  readonly blocks: readonly ChainBlock[];
  /** At most so many are remembered; the oldest are forgotten. */
  readonly most: number;
};

const ALL = Uint8Array.of();

/** The stored view. Reads throw as those of `RowTable` do, and `store/corrupt` for a block that is missing. */
export class ViewTable {
  readonly #store: StoreReader;
  readonly #table: number;
  readonly #rows: RowTable<ChainBlock>;

  constructor(store: StoreReader, table: number) {
    this.#store = store;
    this.#table = table;
    this.#rows = new RowTable({ table, name: "view", codec: jsonCodec(schema), seal: null });
  }

  /** All remembered blocks; empty before the first `change`. */
  blocks(reader: StoreReader = this.#store): readonly ChainBlock[] {
    const blocks: ChainBlock[] = [];
    for (const { row } of this.#rows.from(reader, ALL)) {
      const last = blocks.at(-1);
      if (last !== undefined && row.chainIndex !== last.chainIndex + 1n) {
        throw this.#rows.corrupt(`block ${last.chainIndex + 1n} is missing`);
      }
      blocks.push(row);
    }
    return blocks;
  }

  /** Follows the chain. */
  change(batch: StoreBatch, { common, blocks, most }: ViewChange): void {
    this.#delete(batch, common === null ? ALL : numberKey(common + 1n), KEYS_END);
    for (const block of blocks.slice(-most)) {
      this.#rows.put(batch, numberKey(block.chainIndex), block);
    }
    const newest = blocks.at(-1)?.chainIndex ?? common;
    const lowest = newest === null ? 0n : newest + 1n - BigInt(most);
    if (lowest > 0n) this.#delete(batch, ALL, numberKey(lowest));
  }

  #delete(batch: StoreBatch, from: Uint8Array, to: Uint8Array): void {
    for (const { key } of pairsIn(batch, { table: this.#table, from, to })) {
      this.#rows.delete(batch, key);
    }
  }
}
