/** A wallet folder with its database, opened by a command while no daemon has it. Nothing is made that was not there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WalletIdentity } from "@svc/shared/wallet/run/openWallet.ts";
import { isDatabaseFree } from "../../storage/checkDatabase.ts";
import { WalletFolder, type WalletFolderParts } from "../keys/walletFolder.ts";
import { WalletStore } from "../store/walletStore.ts";
import { WALLET_STORE_LAYOUT } from "../store/walletStoreLayout.ts";

/** What identifies a network to a snapshot. */
export type NetworkIdentity = Omit<WalletIdentity, "defaultAddress">;

/** What a folder is opened with. */
export type OfflineParts = WalletFolderParts & { readonly identity: NetworkIdentity };

/** An open folder. */
export type OfflineFolder = {
  readonly folder: WalletFolder;
  /** Null where no daemon has made one yet. */
  readonly store: WalletStore | null;
  readonly identity: NetworkIdentity;
};

/** Opens a wallet folder that is there. Rejects with `node/bad-folder` when it is not, and like `WalletFolder.open`. */
export async function openWalletFolder(parts: WalletFolderParts): Promise<WalletFolder> {
  try {
    requireFolder(parts.path);
  } catch (error) {
    parts.secret?.erase();
    throw error;
  }
  return await WalletFolder.open(parts);
}

/** Throws `node/bad-folder` for a folder that is not there. */
export function requireFolder(path: string): void {
  if (existsSync(path)) return;
  throw new SvcError("node/bad-folder", { path, reason: "there is no wallet folder" });
}

/** Whether a wallet folder has a database. Throws `store/read-failed`. */
export function hasDatabase(path: string): boolean {
  return !isDatabaseFree(join(path, WALLET_STORE_LAYOUT.name));
}

/**
 * Runs work on a wallet folder and its database, and gives both back. Rejects like `openWalletFolder`, `WalletStore.open`, and
 * as the work does.
 */
export async function withOfflineFolder<T>(
  parts: OfflineParts,
  work: (open: OfflineFolder) => Promise<T>,
): Promise<T> {
  const folder = await openWalletFolder(parts);
  try {
    const { path, identity } = parts;
    const store = hasDatabase(path) ? await WalletStore.open(path, folder.rowSeal()) : null;
    try {
      return await work({ folder, store, identity });
    } finally {
      await store?.close();
    }
  } finally {
    folder.close();
  }
}
