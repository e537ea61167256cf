/** How far the snapshot of each wallet came: what is newer is scanned again after a start, or was lost. */
import * as v from "valibot";
import type { BlockHash, ChainIndex } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import { readNameKey, nameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** The place of a wallet's last snapshot. */
export type WalletCursor = {
  /** The commit that the snapshot holds; one that says a higher one was made by another database. */
  readonly snapshotSequence: bigint;
  /** The last block that it has scanned. */
  readonly hash: BlockHash;
  readonly chainIndex: ChainIndex;
};

const schema: v.GenericSchema<unknown, WalletCursor> = v.object({
  snapshotSequence: fields.u64,
  hash: fields.blockHash,
  chainIndex: fields.chainIndex,
});

/** The cursors by wallet. Reads throw as those of `RowTable` do. */
export class CursorTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: STORE_TABLES.cursors,
    name: "cursors",
    codec: jsonCodec(schema),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** The cursor of a wallet, or undefined before its first snapshot. */
  get(token: string, reader: StoreReader = this.#store): WalletCursor | undefined {
    return this.#rows.get(reader, nameKey(token));
  }

  /** All wallets that have one, shorter tokens first. */
  *all(
    reader: StoreReader = this.#store,
  ): Generator<{ readonly token: string; readonly cursor: WalletCursor }, void> {
    for (const { key, row } of this.#rows.from(reader, Uint8Array.of())) {
      const wallet = readNameKey(key);
      if (wallet === null || wallet.rest.length > 0) throw this.#rows.corrupt("key");
      yield { token: wallet.name, cursor: row };
    }
  }

  /** Checks all rows. */
  audit(tell: TellFlaw): void {
    for (const { key } of this.#rows.audit(this.#store, tell)) {
      if (readNameKey(key)?.rest.length !== 0) tell("cursors", "a cursor of no wallet");
    }
  }

  /** Stores a cursor. */
  put(batch: StoreBatch, token: string, cursor: WalletCursor): void {
    this.#rows.put(batch, nameKey(token), cursor);
  }

  /** Forgets the cursor of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    this.#rows.delete(batch, nameKey(token));
  }
}
