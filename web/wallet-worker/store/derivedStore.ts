/**
 * Browser cache of the prover's precomputed tables, so that the next start is faster.
 *
 * Nothing depends on them and nothing in them is private: a missing or damaged entry is computed anew by whoever reads it,
 * and a store that cannot be opened is done without.
 */
import { deleteDB, openDB, type DBSchema } from "idb";

const NAME = "svc-derived";
const VERSION = 1;

interface Schema extends DBSchema {
  tables: { key: string; value: Uint8Array };
}

/** The stored tables; null when there are none of this tag. */
export async function readDerived(tag: string): Promise<Uint8Array | null> {
  try {
    const database = await open();
    const bytes = await database.get("tables", tag);
    database.close();
    return bytes instanceof Uint8Array ? bytes : null;
  } catch {
    return null;
  }
}

/** Stores tables in place of whatever was there. */
export async function writeDerived(tag: string, bytes: Uint8Array): Promise<void> {
  try {
    const database = await open();
    const transaction = database.transaction("tables", "readwrite");
    await Promise.all([
      transaction.store.clear(),
      transaction.store.put(bytes, tag),
      transaction.done,
    ]);
    database.close();
  } catch {
    // The next start computes the tables again.
  }
}

/** Removes the tables: that they are there tells that a wallet of this browser has paid, or was about to. */
export async function deleteDerived(): Promise<void> {
  // Private browsing of some browsers has no databases at all.
  await deleteDB(NAME).catch(() => undefined);
}

function open() {
  return openDB<Schema>(NAME, VERSION, {
    upgrade: (database) => void database.createObjectStore("tables"),
  });
}
