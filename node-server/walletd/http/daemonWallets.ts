/** What the handlers of the wallet API work with: the daemon, its files, and what is answered from them. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { publicSentenceOf } from "@svc/shared/base/errors.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletFacts } from "../keys/walletFile.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { WalletDaemon } from "../walletDaemon.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";

/** Dependencies of the handlers. */
export type HandlerParts = {
  readonly core: CoreGlue;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly folder: WalletFolder;
  readonly store: WalletStore;
  readonly daemon: WalletDaemon;
  readonly clock: Clock;
};

/** What finding a wallet needs. */
export type FindParts = {
  readonly daemon: { readonly wallets: Pick<OpenWallets, "open" | "opening" | "peek"> };
  readonly folder: Pick<WalletFolder, "openKeys">;
};

/** A wallet of which only the file was read: it is being opened. */
export type UnopenedWallet = { readonly facts: WalletFacts; readonly address: string };

/** Finds wallets for calls that wait, and for those that do not. */
export class DaemonWallets {
  readonly #parts: FindParts;
  /** What files say of wallets, so that the status of one that is not open does not unseal a file each time. */
  readonly #known = new LruMap<WalletToken, UnopenedWallet>(WALLETD_LIMITS.knownAddresses);
  /** Grows when a file became another one: what was read before is not kept. */
  #replaced = 0;

  constructor(parts: FindParts) {
    this.#parts = parts;
  }

  /** The wallet, opened. Rejects with `wallet/no-wallet`, and as `OpenWallets.open` does. */
  open(token: WalletToken): Promise<OpenWallet> {
    return this.#parts.daemon.wallets.open(token);
  }

  /**
   * The wallet if it is open; else what its file says, and it begins to be opened, unless many wait for that; null for no wallet.
   * Rejects with what `WalletFolder.openKeys` rejects with, `wallet/no-wallet` aside.
   */
  async glance(token: WalletToken): Promise<OpenWallet | UnopenedWallet | null> {
    const { daemon } = this.#parts;
    const open = daemon.wallets.peek(token);
    if (open !== null) {
      this.#known.set(token, { facts: open.facts, address: open.keys.address.text });
      return open;
    }
    const known = this.#known.get(token) ?? (await this.#read(token));
    if (known !== null) this.openLater(token);
    return known;
  }

  /** The file is read once: whoever opens the wallet reads it again. */
  async #read(token: WalletToken): Promise<UnopenedWallet | null> {
    const replaced = this.#replaced;
    try {
      const { keys, facts } = await this.#parts.folder.openKeys(token);
      const unopened = { facts, address: keys.address.text };
      keys.erase();
      if (this.#replaced === replaced) this.#known.set(token, unopened);
      return unopened;
    } catch (error) {
      if (SvcError.is(error, "wallet/no-wallet")) return null;
      throw error;
    }
  }

  /** The file under this token is another one from now on. */
  forget(token: WalletToken): void {
    this.#replaced += 1;
    this.#known.delete(token);
  }

  /** Begins to open the wallet for nobody who waits; where many wait for their turn it is for the next call to begin. */
  openLater(token: WalletToken): void {
    if (this.#parts.daemon.wallets.opening >= WALLETD_LIMITS.openingsWaiting) return;
    // What stands in the way is told to whoever asks for the wallet itself.
    this.open(token).catch(() => undefined);
  }
}

/** The sentence of what stands in a wallet's way, for its owner; null for nothing. */
export function problemOf(open: OpenWallet, daemon: WalletDaemon): string | null {
  const { contradiction } = open.wallet.isBegun ? open.state : { contradiction: null };
  const lost = open.rowsLost ? new SvcError("wallet/rows-lost", {}) : null;
  const problem: SvcError | null =
    daemon.storeProblem ?? lost ?? open.problem ?? daemon.lanes.problem;
  if (problem !== null) return publicSentenceOf(problem);
  return contradiction === null
    ? null
    : `The node served a false record of block ${contradiction.chainIndex}: ${contradiction.reason}.`;
}
