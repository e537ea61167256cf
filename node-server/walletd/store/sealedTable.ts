/**
 * Tables whose rows are sealed: what a copy of the disk must not tell. A table gets a seal here alone, so a change of the secret
 * finds all of them.
 */
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { RowTable, type RowCodec } from "../../storage/rows/rowTable.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** Their names. */
export const SEALED_TABLES = ["payments", "idempotency", "jobs", "events", "tokens"] as const;

/** Makes one of them; a null seal leaves its rows plain, as in a folder without a secret. */
export function sealedTable<T>(
  name: (typeof SEALED_TABLES)[number],
  codec: RowCodec<T>,
  seal: RowSeal | null,
): RowTable<T> {
  return new RowTable({ table: STORE_TABLES[name], name, codec, seal });
}
