/**
 * The wallet in several tabs: the one that has it shows it to the others, which follow it and use nothing of it (specification
 * wallet 4.7).
 */
import type { Access, Snapshot, TabsView, WalletView } from "../../wallet-api/walletApi.ts";
import { ShownFollower } from "./shownFollower.ts";
import type { Shown } from "./shownForms.ts";
import { ShownHolder } from "./shownHolder.ts";
import { readTabMessage } from "./tabMessages.ts";
import type { TabPorts } from "./tabPorts.ts";
import type { WalletReads } from "./walletReads.ts";

/** Dependencies. */
export type ShownTabsParts = {
  readonly ports: TabPorts;
  /** Unique name of this tab, a UUID. */
  readonly tab: string;
  /** The calls over the wallet of this tab. */
  readonly reads: WalletReads;
  /** Locks the wallet of this tab. */
  readonly lock: () => void;
  /** This tab shows the wallet of another one: it wants to be the next. */
  readonly onFollowing: () => void;
  readonly onChange: () => void;
};

/** What this tab tells others, and hears of them. Lives as long as the tab. */
export class ShownTabs {
  readonly #parts: ShownTabsParts;
  readonly #holder: ShownHolder;
  readonly #follower: ShownFollower;
  #isFollower = false;
  #isAsked = false;
  #activity = 0;
  #holderEnded = false;

  constructor(parts: ShownTabsParts) {
    const { ports, tab, reads, lock, onChange } = parts;
    this.#parts = parts;
    const onActivity = () => {
      this.#activity += 1;
      onChange();
    };
    this.#holder = new ShownHolder(ports, { reads, lock, onActivity });
    this.#follower = new ShownFollower(ports, tab, onChange);
    ports.listen((data) => {
      const message = readTabMessage(data);
      if (message === null) return;
      this.#holder.receive(message);
      this.#follower.receive(message);
    });
  }

  /** The calls that read: of this tab's wallet, or of the one that it follows. */
  get reads(): WalletReads {
    return this.#isFollower ? this.#follower.reads : this.#parts.reads;
  }

  get view(): TabsView {
    const following = this.#isFollower && this.#follower.shown !== null;
    return { following, activity: this.#activity, holderEnded: this.#holderEnded };
  }

  /** Whether this tab has the wallet decides what it does for the others. */
  accessChanged(access: Access): void {
    const isFollower = access === "elsewhere" || access === "moved";
    if (isFollower && !this.#isFollower) {
      this.#isFollower = true;
      this.#holderEnded = false;
      this.#follower.begin();
    }
    if (!isFollower && this.#isFollower) {
      this.#holderEnded = this.#follower.shown !== null && !this.#isAsked;
      this.#isFollower = false;
      this.#isAsked = false;
      this.#follower.end();
    }
    if (access === "open") {
      this.#holderEnded = false;
      this.#holder.open();
    } else this.#holder.close();
  }

  /** Another tab has the wallet now: what the one before it showed is over. */
  holderChanged(): void {
    if (!this.#isFollower) return;
    this.#follower.forget();
    this.#follower.hello();
  }

  /** The other tab is asked for the wallet. */
  noteAsked(): void {
    this.#isAsked = true;
  }

  /** There was input in this tab. */
  noteActivity(): void {
    if (this.#isFollower) this.#parts.ports.post({ kind: "active" });
  }

  /** Asks the tab that this one follows to lock the wallet. */
  askLock(): void {
    if (this.#isFollower) this.#parts.ports.post({ kind: "lock" });
  }

  /** Shows the snapshot of the open wallet to other tabs; gives what this tab's page is to show. */
  show(snapshot: Snapshot): Snapshot {
    const { wallet } = snapshot;
    if (wallet !== null && snapshot.access === "open") this.#holder.show(shownOf(snapshot, wallet));
    const shown = this.#isFollower ? this.#follower.shown : null;
    if (shown === null) return snapshot;
    this.#parts.onFollowing();
    return { ...snapshot, ...shown };
  }
}

function shownOf(
  { node, others, network, backupConfirmed, watchOnly, autoLock, wallets, send }: Snapshot,
  wallet: WalletView,
): Shown {
  return { node, others, network, backupConfirmed, watchOnly, autoLock, wallets, send, wallet };
}
