/** Shows the wallet page of a wallet whose keys a test knows, or of a browser that has none yet. */
import { showWallet, type WalletStage } from "../showWallet.ts";
import { newcomer, openWallet } from "../snapshots.ts";
import type { FakeWorkers } from "../fakeWorkers.ts";
import { PASSPHRASE } from "./cheapKeyring.ts";
import { ModelKeys } from "./modelKeys.ts";

/** A page and the keys behind it. */
export type KeyScene = { readonly keys: ModelKeys; readonly workers: FakeWorkers };

/** Shows the settings of the open wallet. */
export async function showSettings(more: Pick<WalletStage, "wallet"> = {}): Promise<KeyScene> {
  const keys = await ModelKeys.seal(PASSPHRASE);
  const { wallet, keyring } = keys.answers();
  const answers = { wallet: { ...wallet, ...more.wallet }, keyring };
  const snapshot = ModelKeys.on(openWallet());
  return { keys, workers: await showWallet(snapshot, { hash: "#/settings", ...answers }) };
}

/** Shows the first screen of a browser without a wallet, whose keyring has the keys to a backup file. */
export async function showFirst(more: Pick<WalletStage, "wallet"> = {}): Promise<KeyScene> {
  const keys = await ModelKeys.seal(PASSPHRASE);
  const { wallet, keyring } = keys.answers();
  const answers = { wallet: { ...wallet, ...more.wallet }, keyring };
  return { keys, workers: await showWallet(ModelKeys.on(newcomer()), answers) };
}
