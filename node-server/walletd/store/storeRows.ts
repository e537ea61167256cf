/**
 * Change of how the rows of a database are stored, while no daemon has it: sealed, plain, or of both forms as after a secret was
 * first given. It can be done again after a kill.
 */
import { join } from "node:path";
import { isDatabaseFree } from "../../storage/checkDatabase.ts";
import type { Kv, KvChange } from "../../storage/kv.ts";
import { openStore } from "../../storage/openStore.ts";
import { STORAGE_LIMITS } from "../../storage/storageLimits.ts";
import { openRow, readRow, writeRow, type RowPlace } from "../../storage/rows/rowForm.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { SEALED_TABLES } from "./sealedTable.ts";
import { requireSealMark, sealMark } from "./sealMark.ts";
import { pairsFrom } from "../../storage/rows/storeKeys.ts";
import { STORE_TABLES, WALLET_STORE_LAYOUT } from "./walletStoreLayout.ts";

/** What rows are sealed with before and after; null for plain rows. One that seals before and after is the same. */
export type RowSeals = { readonly from: RowSeal | null; readonly to: RowSeal | null };

/** A table with rows that did not open. */
export type LeftRows = { readonly file: string; readonly code: "store/corrupt" };

/** The rows of a database that is open for the change. */
export type StoreRows = {
  /** Brings all rows into the new form, but for damaged ones. Throws `store/commit-failed` and its kin. */
  readonly rewrite: () => readonly LeftRows[];
  readonly close: () => Promise<void>;
};

/**
 * Opens the database in a wallet folder; null when there is none. Rejects with `wallet/rows-sealed`, `wallet/no-secret`, and like
 * `WalletStore.open`.
 */
export async function openStoreRows(folder: string, seals: RowSeals): Promise<StoreRows | null> {
  if (isDatabaseFree(join(folder, WALLET_STORE_LAYOUT.name))) return null;
  const { store } = await openStore(folder, WALLET_STORE_LAYOUT);
  const close = (): Promise<void> => store.close();
  try {
    requireSealMark(store, seals.from ?? seals.to);
    return { rewrite: () => rewriteRows(store, seals), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Brings all rows of an open database into the new form, as `StoreRows.rewrite`. */
export function rewriteRows(store: Kv, seals: RowSeals): readonly LeftRows[] {
  // Before the first row: from then on nobody opens the database without the key.
  if (seals.to !== null) store.commit([sealMark(seals.to)]);
  const left = SEALED_TABLES.filter((name) => !rewriteTable(store, STORE_TABLES[name], seals));
  // After the last one. What is left is damaged: the key would not open it either.
  if (seals.to === null) store.commit([sealMark(null)]);
  return left.map((name) => ({ file: `table ${name} of the database`, code: "store/corrupt" }));
}

/** Whether all rows of the table could be read. */
function rewriteTable(store: Kv, table: number, seals: RowSeals): boolean {
  let isWhole = true;
  let changes: KvChange[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (changes.length > 0) store.commit(changes);
    [changes, bytes] = [[], 0];
  };
  for (const { key, value } of pairsFrom(store, table, Uint8Array.of())) {
    const rewritten = rewriteRow({ table, key }, value, seals);
    if (rewritten === "damaged") isWhole = false;
    if (typeof rewritten === "string") continue;
    changes.push({ table, key, value: rewritten });
    bytes += rewritten.length;
    if (bytes > STORAGE_LIMITS.storeRowBytes || changes.length >= STORAGE_LIMITS.storePageRows) {
      flush();
    }
  }
  flush();
  return isWhole;
}

function rewriteRow(
  place: RowPlace,
  value: Uint8Array,
  { from, to }: RowSeals,
): Uint8Array | "same" | "damaged" {
  try {
    const row = readRow(place, value);
    const seal = from ?? to;
    // A row of an earlier key: nobody opens it any more.
    if (row.isSealed && seal === null) return "damaged";
    const isSame = row.isSealed === (to !== null);
    // One key seals before and after, so only rows of a folder that was plain can be of another.
    if (isSame && (from !== null || !row.isSealed)) return "same";
    const body = seal === null ? row.body : openRow(place, row, seal);
    return isSame ? "same" : writeRow(place, body, to);
  } catch {
    return "damaged";
  }
}
