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

/** A wallet of which only the file was read: it is being opened. */
export type UnopenedWallet = { readonly facts: WalletFacts; readonly address: string };

/** Finds wallets for calls that wait, and for those that do not. */
export class DaemonWallets {
  readonly #parts: HandlerParts;
  /** Addresses of wallets that are not open, so that a status does not unseal a file each time. */
  readonly #addresses = new LruMap<WalletToken, UnopenedWallet>(WALLETD_LIMITS.knownAddresses);
  /** Grows when a file became another one: what was read before is not kept. */
  #replaced = 0;

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  /** The wallet, opened. Rejects with `wallet/no-wallet`, and as `OpenWallets.open` does. */
  open(token: WalletToken): Promise<OpenWallet> {
    return this.#parts.daemon.wallets.open(token);
  }

  /** The wallet if it is open; else it begins to be opened, and what its file says is given; null for no wallet. */
  async glance(token: WalletToken): Promise<OpenWallet | UnopenedWallet | null> {
    const { daemon, folder } = this.#parts;
    const open = daemon.wallets.peek(token);
    if (open !== null) return open;
    const known = this.#addresses.get(token);
    if (known !== undefined) {
      this.#openLater(token);
      return known;
    }
    const replaced = this.#replaced;
    const facts = await folder.facts(token);
    if (facts === null) return null;
    this.#openLater(token);
    const { keys } = await folder.openKeys(token);
    const unopened = { facts, address: keys.address.text };
    keys.erase();
    if (this.#replaced === replaced) this.#addresses.set(token, unopened);
    return unopened;
  }

  /** The file under this token is another one from now on. */
  forget(token: WalletToken): void {
    this.#replaced += 1;
    this.#addresses.delete(token);
  }

  #openLater(token: WalletToken): void {
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
