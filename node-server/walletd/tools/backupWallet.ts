/** `svc walletd backup` and `svc walletd restore`: one wallet, under a passphrase of its own. */
import type { AddressText } from "@svc/shared/base/brand.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { exportBackup, restoreBackup } from "../keys/walletBackup.ts";
import { ViewingKeys } from "../keys/viewingKeys.ts";
import { WalletFolder, type WalletFolderParts } from "../keys/walletFolder.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { WalletStore } from "../store/walletStore.ts";
import { hasDatabase, openWalletFolder } from "./offlineFolder.ts";

/** The backup of a wallet as text. The passphrase stays with the caller. Rejects like `openWalletFolder` and `exportBackup`. */
export async function backupWallet(
  parts: WalletFolderParts,
  token: WalletToken,
  passphrase: Secret,
): Promise<string> {
  const folder = await openWalletFolder(parts);
  try {
    const { core, nowUnix } = parts;
    return await exportBackup({ folder, core, nowUnix }, token, passphrase);
  } finally {
    folder.close();
  }
}

/**
 * Makes a wallet of a backup, in a folder that is made if it is not there; gives its first address. Rows that a wallet of another
 * key left in the database go: its payments, jobs and scoped tokens are not this one's. The passphrase stays with the caller.
 * Rejects like `WalletFolder.open`, `WalletStore.open` and `restoreBackup`, and with the store's errors.
 */
export async function restoreWallet(
  parts: WalletFolderParts,
  token: WalletToken,
  { text, passphrase }: { readonly text: string; readonly passphrase: Secret },
): Promise<AddressText> {
  const folder = await WalletFolder.open(parts);
  try {
    const { core, hrp, nowUnix, path } = parts;
    const store = hasDatabase(path) ? await WalletStore.open(path, folder.rowSeal()) : null;
    try {
      const own = (seed: Secret): void => {
        using keys = ViewingKeys.ofSeed(core, hrp, seed);
        store?.own(token, keys.fvk);
      };
      using keys = await restoreBackup({ folder, core, nowUnix, own }, token, text, passphrase);
      return keys.address.text;
    } finally {
      await store?.close();
    }
  } finally {
    folder.close();
  }
}
