/** The remembered blocks of the chain that all wallets follow, by chain index: consecutive, the oldest first. */
import * as v from "valibot";
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import { numberKey, pairsIn, type StoreReader } from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

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
  readonly #rows = new RowTable({
    table: STORE_TABLES.view,
    name: "view",
    codec: jsonCodec(schema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
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
    for (const { key } of pairsIn(batch, { table: STORE_TABLES.view, from, to })) {
      this.#rows.delete(batch, key);
    }
  }
}
