/** Reads the snapshots of wallets that are not open. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WalletIdentity } from "@svc/shared/wallet/run/openWallet.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import { decodeSnapshot, type WalletSnapshot } from "../wallets/walletSnapshot.ts";
import type { NetworkIdentity } from "./offlineFolder.ts";

/** A wallet, and the network that it is on. */
export type SnapshotOwner = {
  readonly folder: WalletFolder;
  readonly identity: NetworkIdentity;
  readonly token: WalletToken;
};

/**
 * The snapshot of a wallet as it lies on disk; null when there is none. Rejects with `wallet/file-damaged` also for one of
 * another wallet or network, `store/corrupt`, `store/version`, and like `WalletFolder.readScan`.
 */
export async function readSnapshot(owner: SnapshotOwner): Promise<WalletSnapshot | null> {
  const bytes = await owner.folder.readScan(owner.token);
  return bytes === null ? null : await ownSnapshot(owner, bytes);
}

/** The snapshot in the bytes of a scan file of this wallet that came from elsewhere. Rejects like `readSnapshot`. */
export async function readForeignSnapshot(
  owner: SnapshotOwner,
  file: Uint8Array,
): Promise<WalletSnapshot> {
  return await ownSnapshot(owner, await owner.folder.openScan(owner.token, file));
}

async function ownSnapshot(
  { folder, identity, token }: SnapshotOwner,
  bytes: Uint8Array,
): Promise<WalletSnapshot> {
  const snapshot = decodeSnapshot(bytes);
  const { keys } = await folder.openKeys(token);
  const own: WalletIdentity = { ...identity, defaultAddress: keys.address.raw };
  keys.erase();
  const { account } = snapshot.state;
  const isNetwork = account.genesis === own.genesis && account.profileDigest === own.profileDigest;
  if (isNetwork && account.defaultAddress === own.defaultAddress) return snapshot;
  const file = `the scan of ${walletLabel(token)}`;
  const reason = isNetwork ? "it is of another wallet" : "it is of another network";
  throw new SvcError("wallet/file-damaged", { file, reason });
}
