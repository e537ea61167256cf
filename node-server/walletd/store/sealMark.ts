/**
 * Mark of a sealed database: a row that opens under the key of its rows alone. It tells a database whose key was lost before
 * anything is read from it or written to it.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv, KvChange } from "../../storage/kv.ts";
import { openRow, readRow, writeRow } from "../../storage/rows/rowForm.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** Beside the number of the last commit. */
const PLACE = { table: STORE_TABLES.sequence, key: Uint8Array.of(1) };

/** The change that makes the mark fit a seal. */
export function sealMark(seal: RowSeal | null): KvChange {
  return { ...PLACE, value: seal === null ? null : writeRow(PLACE, new Uint8Array(0), seal) };
}

/** Throws `wallet/no-secret` for a sealed database without a seal, `wallet/rows-sealed` when its rows have another key. */
export function requireSealMark(store: Pick<Kv, "get">, seal: RowSeal | null): void {
  const value = store.get(PLACE.table, PLACE.key);
  if (value === undefined) return;
  if (seal === null) throw new SvcError("wallet/no-secret", {});
  try {
    openRow(PLACE, readRow(PLACE, value), seal);
  } catch (cause) {
    throw new SvcError("wallet/rows-sealed", {}, cause);
  }
}

/** Marks a database whose rows are sealed from now on, once. Throws as `requireSealMark`, and `store/commit-failed` and its kin. */
export function keepSealMark(store: Pick<Kv, "get" | "commit">, seal: RowSeal | null): void {
  requireSealMark(store, seal);
  const isMarked = store.get(PLACE.table, PLACE.key) !== undefined;
  if (seal !== null && !isMarked) store.commit([sealMark(seal)]);
}
