/** Switch between the wallets of this browser: the current one is locked before anything else is done. */
import type { StoredNetwork } from "../store/database.ts";
import type { WalletPlaces } from "./walletPlaces.ts";

/** The worker's state, as far as a switch needs it. */
export type Switching = {
  readonly wallets: Pick<WalletPlaces, "choose" | "begin" | "view" | "isHeld">;
  /** Locks the wallet that is open. */
  lock(): Promise<void>;
  /** The store of a wallet is open, and names its network; null where none is stored. */
  took(stored: StoredNetwork | null): void;
  /** No wallet can go on in this tab. */
  stop(error: unknown): void;
};

/** Takes another wallet, locked. Rejects as `WalletPlaces.choose` does. */
export async function chooseWallet(host: Switching, id: string): Promise<void> {
  await host.lock();
  try {
    host.took(await host.wallets.choose(id));
  } catch (error) {
    const { current, beside } = host.wallets.view;
    if (host.wallets.isHeld && current === null && beside === null) host.stop(error);
    throw error;
  }
}

/** Makes room for a new wallet beside the others. Rejects as `WalletPlaces.begin` throws. */
export async function newWallet(host: Switching): Promise<void> {
  await host.lock();
  host.wallets.begin();
  host.took(null);
}
