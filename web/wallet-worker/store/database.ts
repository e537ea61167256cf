/**
 * IndexedDB database of a wallet: each wallet has one of its own. The wallet worker is its only writer.
 *
 * `vault` holds the sealed seed, `meta` what is public or harmless (network, settings), `records`, `rows` and `leaves` the
 * wallet's private data, sealed with the data key.
 */
import { deleteDB, openDB, unwrap, type DBSchema, type IDBPDatabase } from "idb";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Birthday } from "@svc/shared/wallet/sync/birthday.ts";
import { AUTO_LOCK_USUAL, readAutoLock, type AutoLock } from "../../wallet-api/autoLock.ts";
import type { AnnotationRecord } from "../../wallet-api/backupAnnotations.ts";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import { DATABASE_VERSION, migrate } from "./migrations.ts";
import { storageError } from "./storageError.ts";

/** Name of the database of the first wallet; that of each other one begins with it. */
export const FIRST_DATABASE = "svc-wallet";
/** Ends the name of the database of what is read of a wallet's older blocks. */
const OLDER = "-older";

/** Sealed bytes. */
export type SealedBytes = Uint8Array<ArrayBuffer>;

/** The network that the wallet was made for, kept so that it opens without a node. */
export type StoredNetwork = {
  readonly profileJson: string;
  readonly digest: string;
  /** Where scanning begins if it has not begun yet; a number is a blue score that an earlier version stored. */
  readonly birthday: Birthday | "now" | bigint;
};

/** Settings and facts that reveal nothing about the wallet's money. */
export type StoredFlags = {
  /** The seed was written down and typed back. */
  readonly backupConfirmed: boolean;
  /** The wallet has been at the tip: its stored balance may be shown as such. */
  readonly everSynced: boolean;
  /** The birthday is a day that somebody remembered, not one that this program knows. */
  readonly birthdayGuessed: boolean;
  /** How long the open wallet waits for input before it locks itself. */
  readonly autoLock: AutoLock;
  /** Notes may be merged in the background. */
  readonly mergesNotes: boolean;
  /** Payments carry the outgoing viewing key; null until their owner chose. */
  readonly recoverableHistory: boolean | null;
};

/** The flags of a wallet that stored none. */
export const NO_FLAGS: StoredFlags = {
  backupConfirmed: false,
  everSynced: false,
  birthdayGuessed: false,
  autoLock: AUTO_LOCK_USUAL,
  mergesNotes: false,
  recoverableHistory: null,
};

/** The object stores. */
export interface WalletSchema extends DBSchema {
  vault: { key: "vault"; value: VaultRecord };
  meta: { key: "network" | "flags"; value: StoredNetwork | StoredFlags };
  /** `state` is the whole state of a wallet that no program of version 2 has written yet. */
  records: { key: "head" | "state" | "tree" | AnnotationRecord; value: SealedBytes };
  rows: { key: number; value: SealedBytes };
  leaves: { key: number; value: SealedBytes };
}

/** The open database. */
export type Database = IDBPDatabase<WalletSchema>;

/** Callbacks for a connection that ends without having been closed here. */
export type DatabaseListener = {
  /** Another tab needs a newer version; this connection is closed by then. */
  readonly onReplaced: () => void;
  /** The browser closed it: it removed the data, or can store nothing more. `whyClosed` tells which. */
  readonly onClosed: () => void;
};

/** Opens the database with this name, making or upgrading it. Throws `store/version` and those of `storageError`. */
export async function openDatabase(name: string, listener: DatabaseListener): Promise<Database> {
  try {
    const database: Database = await openDB<WalletSchema>(name, DATABASE_VERSION, {
      // Old steps name stores that the schema may have lost: they see the untyped database.
      upgrade: (db, from) => migrate(unwrap(db), from),
      blocking: () => {
        database.close();
        listener.onReplaced();
      },
      terminated: listener.onClosed,
    });
    return database;
  } catch (error) {
    throw openError(error);
  }
}

/**
 * Why the browser closed the connection of an open wallet: `wallet/storage-removed` when there is none any more. While it
 * removes data it closes new connections too, so there are some looks, `pause` apart.
 */
export async function whyClosed(name: string, pause: () => Promise<void>): Promise<SvcError> {
  const ignore = () => undefined;
  for (let look = 0; look < PAGE_LIMITS.walletStoreLooks; look += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const database = await openDatabase(name, { onReplaced: ignore, onClosed: ignore });
      // oxlint-disable-next-line no-await-in-loop
      const vault = await database.get("vault", "vault").finally(() => database.close());
      if (vault === undefined) return new SvcError("wallet/storage-removed", {});
      break;
    } catch {
      // oxlint-disable-next-line no-await-in-loop
      await pause();
    }
  }
  return new SvcError("wallet/storage-closed", {});
}

/** Removes the database of a wallet, everything in it, and what was read of older blocks. The connections must be closed. */
export async function deleteDatabase(name: string): Promise<void> {
  // The wallet's own last: what a death in between leaves is still a wallet's, and is found.
  await deleteOlder(name);
  await deleteDB(name);
}

/** Opens the database of what is read of the older blocks of the wallet in the one with this name. Throws as `openDatabase` does. */
export async function openOlder(name: string, listener: DatabaseListener): Promise<Database> {
  return openDatabase(name + OLDER, listener);
}

/** Removes what was read of the older blocks of that wallet, if it is there. The connection must be closed. */
export async function deleteOlder(name: string): Promise<void> {
  await deleteDB(name + OLDER);
}

/** The stored network; null when there is no wallet. */
export async function loadNetwork(database: Database): Promise<StoredNetwork | null> {
  const value = await database.get("meta", "network");
  return value !== undefined && "digest" in value ? value : null;
}

/** The stored flags; `NO_FLAGS` when there are none. */
export async function loadFlags(database: Database): Promise<StoredFlags> {
  const value = await database.get("meta", "flags");
  if (value === undefined || !("backupConfirmed" in value)) return NO_FLAGS;
  // A flag that an older program did not know is as in a new wallet.
  return { ...NO_FLAGS, ...value, autoLock: readAutoLock(value.autoLock) };
}

/** Changes some flags. Rejects as `storageError` says. */
export async function storeFlags(database: Database, change: Partial<StoredFlags>): Promise<void> {
  try {
    await database.put("meta", { ...(await loadFlags(database)), ...change }, "flags");
  } catch (error) {
    throw storageError(error);
  }
}

/** Annotations of a wallet that a backup brings back, sealed under its data key. */
export type SealedAnnotations = readonly (readonly [name: AnnotationRecord, sealed: SealedBytes])[];

/**
 * Stores a new wallet's vault, network and annotations together, durably, before anything else is done with them. Rejects as
 * `storageError` says; then none of them is there.
 */
export async function storeVault(
  database: Database,
  vault: VaultRecord,
  network: StoredNetwork,
  annotations: SealedAnnotations,
): Promise<void> {
  const transaction = database.transaction(["vault", "meta", "records"], "readwrite", {
    durability: "strict",
  });
  const records = transaction.objectStore("records");
  await wholeTransaction(transaction, [
    transaction.objectStore("vault").add(vault, "vault"),
    transaction.objectStore("meta").put(network, "network"),
    ...annotations.map(([name, sealed]) => records.put(sealed, name)),
  ]);
}

/**
 * Puts another record of the same vault in the place of the one with `header`, in one durable transaction: a kill leaves the one
 * or the other. Rejects with `wallet/no-wallet` when another vault is stored, and as `storageError` says.
 */
export async function replaceVault(
  database: Database,
  header: string,
  next: VaultRecord,
): Promise<void> {
  const transaction = database.transaction("vault", "readwrite", { durability: "strict" });
  const stored = await transaction.store.get("vault");
  const isThere = stored?.header === header;
  await wholeTransaction(transaction, isThere ? [transaction.store.put(next, "vault")] : []);
  if (!isThere) throw new SvcError("wallet/no-wallet", {});
}

/** Waits until a transaction with these writes is done. Rejects with why it is not, as `storageError` says it. */
export async function wholeTransaction(
  transaction: { readonly done: Promise<void>; readonly error: DOMException | null },
  writes: readonly Promise<unknown>[],
): Promise<void> {
  // A write of a transaction that breaks off says only that; the transaction knows why.
  for (const write of writes) write.catch(() => undefined);
  try {
    await transaction.done;
  } catch (error) {
    throw storageError(transaction.error ?? error);
  }
}

function openError(error: unknown): SvcError {
  if (error instanceof DOMException && error.name === "VersionError") {
    const data = { expected: DATABASE_VERSION, found: "newer" };
    return new SvcError("store/version", data, error);
  }
  return storageError(error);
}
