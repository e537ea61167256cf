/** Stored list of the wallets of this browser: one record in an IndexedDB database beside those of the wallets. */
import { deleteDB, openDB, type DBSchema } from "idb";
import { wholeTransaction } from "../store/database.ts";
import { storageError } from "../store/storageError.ts";
import type { StoredWalletList } from "./walletList.ts";

const NAME = "svc-wallets";
const VERSION = 1;

interface ListSchema extends DBSchema {
  list: { key: "list"; value: unknown };
}

/** The stored list, whatever it is; undefined when there is none. Rejects as `storageError` says. */
export async function loadStoredList(): Promise<unknown> {
  // Where no list was ever stored, looking for it makes no database either.
  const names = await databaseNames();
  if (names !== null && !names.has(NAME)) return undefined;
  const database = await open();
  try {
    return await database.get("list", "list");
  } catch (error) {
    throw storageError(error);
  } finally {
    database.close();
  }
}

/**
 * Stores the list, durably, in place of the one before; one without wallets leaves no trace. Rejects as `storageError` says; then the list
 * before is still there.
 */
export async function storeList(list: StoredWalletList): Promise<void> {
  if (list.wallets.length === 0) {
    await deleteDB(NAME).catch((error: unknown) => Promise.reject(storageError(error)));
    return;
  }
  const database = await open();
  try {
    const transaction = database.transaction("list", "readwrite", { durability: "strict" });
    await wholeTransaction(transaction, [transaction.store.put(list, "list")]);
  } finally {
    database.close();
  }
}

/** Names of all databases of this origin; null where the browser does not tell (Firefox before 126). */
export async function databaseNames(): Promise<ReadonlySet<string> | null> {
  try {
    const found = await indexedDB.databases();
    return new Set(found.flatMap(({ name }) => (name === undefined ? [] : [name])));
  } catch {
    return null;
  }
}

async function open() {
  try {
    return await openDB<ListSchema>(NAME, VERSION, {
      upgrade: (database) => void database.createObjectStore("list"),
    });
  } catch (error) {
    throw storageError(error);
  }
}
