/** Switch between the wallets of this browser: the current one is locked before anything else is done. */
import type { StoredNetwork } from "../store/database.ts";
import type { WalletPlaces } from "./walletPlaces.ts";

/** The worker's state, as far as a switch needs it. */
export type Switching = {
  readonly wallets: Pick<WalletPlaces, "choose" | "begin">;
  /** Locks the wallet that is open. */
  lock(): Promise<void>;
  /** The store of a wallet is open, and names its network; null where none is stored. */
  took(stored: StoredNetwork | null): void;
};

/** Takes another wallet, locked. Rejects as `WalletPlaces.choose` does. */
export async function chooseWallet(host: Switching, id: string): Promise<void> {
  await host.lock();
  host.took(await host.wallets.choose(id));
}

/** Makes room for a new wallet beside the others. Rejects as `WalletPlaces.begin` throws. */
export async function newWallet(host: Switching): Promise<void> {
  await host.lock();
  host.wallets.begin();
  host.took(null);
}
