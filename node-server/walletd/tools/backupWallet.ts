/** `svc walletd backup` and `svc walletd restore`: one wallet, under a passphrase of its own. */
import type { AddressText } from "@svc/shared/base/brand.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { exportBackup, restoreBackup } from "../keys/walletBackup.ts";
import { WalletFolder, type WalletFolderParts } from "../keys/walletFolder.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { openWalletFolder } from "./offlineFolder.ts";

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
 * Makes a wallet of a backup, in a folder that is made if it is not there; gives its first address. The passphrase stays with the
 * caller. Rejects like `WalletFolder.open` and `restoreBackup`.
 */
export async function restoreWallet(
  parts: WalletFolderParts,
  token: WalletToken,
  { text, passphrase }: { readonly text: string; readonly passphrase: Secret },
): Promise<AddressText> {
  const folder = await WalletFolder.open(parts);
  try {
    const { core, nowUnix } = parts;
    using keys = await restoreBackup({ folder, core, nowUnix }, token, text, passphrase);
    return keys.address.text;
  } finally {
    folder.close();
  }
}
