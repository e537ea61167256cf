/** The contract of a wallet's store, kept by the browser's own. */
import { Secret } from "@svc/shared/base/secret.ts";
import { STORE_CASES } from "@svc/shared/wallet/testkit/storeContract.ts";
import { deleteDatabase, FIRST_DATABASE, openDatabase, type Database } from "../store/database.ts";
import { WalletStore } from "../store/walletStore.ts";

/** The key of stores in tests. */
export function testKey(): Secret {
  return new Secret(new Uint8Array(32).fill(7));
}

/** Opens the database of this origin. */
export function openTestDatabase(): Promise<Database> {
  const ignore = () => undefined;
  return openDatabase(FIRST_DATABASE, { onReplaced: ignore, onClosed: ignore });
}

/** Runs a case over an empty database. Rejects where the store breaks it. */
export async function runStoreCase(name: string): Promise<void> {
  const found = STORE_CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error("no such case");
  await deleteDatabase(FIRST_DATABASE);
  const database = await openTestDatabase();
  try {
    await found.run(() => new WalletStore(database, testKey()));
  } finally {
    database.close();
  }
}
