/** An open wallet: its keys, its file's facts, and its state, changed durably by payments and moved on by its lane. */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { IncomingPayment } from "@svc/shared/wallet/reduce/incoming.ts";
import { isAtWork } from "@svc/shared/wallet/reduce/outbox.ts";
import { isUnsettled } from "@svc/shared/wallet/state/payment.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import type { WalletHandle } from "@svc/shared/wallet/state/walletHandle.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { ViewingKeys } from "../keys/viewingKeys.ts";
import type { WalletFacts } from "../keys/walletFile.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { putPayments } from "./laneCommits.ts";
import type { Lanes } from "./lanes.ts";
import type { LoadedWallet } from "./loadedWallet.ts";

/** What all open wallets share. */
export type SharedParts = {
  readonly store: WalletStore;
  readonly lanes: Lanes;
  /** What the node last said of its tip. */
  readonly tip: () => NodeTip | null;
  /** Receipts of a wallet that wait for a block. */
  readonly incoming: (wallet: LoadedWallet) => readonly IncomingPayment[];
};

/** What a wallet is opened with. */
export type OpenedWallet = {
  readonly token: WalletToken;
  readonly keys: ViewingKeys;
  readonly facts: WalletFacts;
  /** Indices of the addresses that were handed out beside the first one. */
  readonly addresses: readonly number[];
  readonly wallet: LoadedWallet;
  /** The snapshot holds a commit that the store does not have: payments may be missing from it. */
  readonly rowsLost: boolean;
  /** What is on disk, when nothing has happened in the wallet since; null when it is to be written. */
  readonly saved: SavedSnapshot | null;
};

/** A snapshot on disk. */
export type SavedSnapshot = {
  /** The commit that its file names. */
  readonly sequence: bigint;
  /** How far the store says that it holds. */
  readonly chainIndex: ChainIndex;
};

/** An open wallet as sending uses it. */
export class OpenWallet implements WalletHandle {
  readonly token: WalletToken;
  readonly keys: ViewingKeys;
  readonly wallet: LoadedWallet;
  /** As it was opened, until its owner has it scanned again. */
  rowsLost: boolean;
  /** What was on disk when it was opened, and the revision that is; null when it was to be written. */
  readonly saved: (SavedSnapshot & { readonly revision: number }) | null;
  /** Calls that choose notes are made one after the other. */
  readonly spending = new Mutex();
  /** What stands in clear in its file. */
  facts: WalletFacts;
  /** Indices of the addresses that were handed out beside the first one. */
  addresses: readonly number[];
  /** When somebody last asked for it, by the steady clock. */
  usedMs = 0n;
  /** When it was last scanned to the node's tip, in Unix seconds; 0 while it was not since it was opened. */
  syncedUnix = 0;
  /** Why its first block was not found yet; null for no reason. */
  problem: SvcError | null = null;
  readonly #shared: SharedParts;
  #users = 0;
  #isClosed = false;
  /** What holds though the store had no room for it; each later change stores it, too. */
  #unstored: WalletState | null = null;

  constructor(shared: SharedParts, opened: OpenedWallet) {
    this.#shared = shared;
    this.token = opened.token;
    this.keys = opened.keys;
    this.facts = opened.facts;
    this.addresses = opened.addresses;
    this.wallet = opened.wallet;
    this.rowsLost = opened.rowsLost;
    const { saved, wallet } = opened;
    this.saved = saved && { ...saved, revision: wallet.revision };
  }

  /** The index above all that were handed out. */
  get nextAddressIndex(): number {
    return this.addresses.reduce((next, index) => Math.max(next, index + 1), 1);
  }

  /** Whether somebody is at work on it, or a payment of it is not settled: the wallet stays open. */
  get isBusy(): boolean {
    if (this.#users > 0) return true;
    const { wallet } = this;
    return (
      wallet.isBegun && wallet.state.outbox.some((one) => isAtWork(one.status) || isUnsettled(one))
    );
  }

  /** Keeps the wallet open until the answer is called. */
  use(): () => void {
    this.#users += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#users -= 1;
      isOver = true;
    };
  }

  /** Whether it was dropped: another object may stand for the wallet by now, so nothing of this one is stored any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Throws `wallet/opening` for one that was closed. */
  requireOpen(): void {
    if (this.#isClosed) throw new SvcError("wallet/opening", {});
  }

  /** Refuses every later change with `wallet/opening`. */
  close(): void {
    this.#isClosed = true;
  }

  /** Receipts that wait for a block, as the node's pool last told. */
  get incoming(): readonly IncomingPayment[] {
    return this.#shared.incoming(this.wallet);
  }

  get state(): WalletState {
    return this.wallet.state;
  }

  get tip(): NodeTip | null {
    return this.#shared.tip();
  }

  get isAtTip(): boolean {
    return this.#shared.lanes.isAtTip(this.wallet);
  }

  /** The shared tree. Throws `wallet/opening` while it does not reach back to the wallet's birthday. */
  get tree(): NoteTree {
    const { tree } = this.#shared.lanes.main;
    if (tree === null || !this.hasTree) throw new SvcError("wallet/opening", {});
    return tree.tree;
  }

  /** Whether the shared tree knows the leaves of the wallet's notes. */
  get hasTree(): boolean {
    const base = this.#shared.lanes.main.tree?.base;
    return base !== undefined && base <= this.state.account.birthday.leafEnd;
  }

  get fault(): SvcError | null {
    if (this.rowsLost) return new SvcError("wallet/rows-lost", {});
    if (!this.wallet.isBegun || !this.hasTree) return new SvcError("wallet/opening", {});
    return this.isAtTip ? this.#shared.lanes.main.fault : this.#notSynced();
  }

  /** The tree is that of the lane at the tip: a wallet that has not met it cannot pay, however near it is. */
  #notSynced(): SvcError {
    const { tip } = this;
    if (tip === null) return new SvcError("wallet/not-synced", { behind: "some" });
    const behind = tip.sinkBlueScore - cursorOf(this.state).blueScore;
    return new SvcError("wallet/not-synced", { behind: behind > 1n ? behind : 1n });
  }

  async update(change: (state: WalletState) => WalletState): Promise<WalletState> {
    return this.updateWith((_, state) => change(state));
  }

  /**
   * As `update`, with further rows of the store that are written in the same commit. It does not wait. Throws `wallet/opening` for
   * one that was closed.
   */
  updateWith(change: (batch: StoreBatch, state: WalletState) => WalletState): WalletState {
    this.requireOpen();
    const before = this.#unstored ?? this.state;
    const { store } = this.#shared;
    const after = store.commit((batch) => {
      const next = change(batch, this.state);
      putPayments(store, batch, this.token, [before.outbox, next.outbox]);
      return next;
    });
    if (after === this.state && this.#unstored === null) return after;
    this.#unstored = null;
    this.wallet.put(after);
    return after;
  }

  async hold(change: (state: WalletState) => WalletState): Promise<WalletState> {
    const before = this.state;
    try {
      return await this.update(change);
    } catch (error) {
      if (!(error instanceof SvcError) || !error.code.startsWith("store/")) throw error;
      this.#unstored ??= before;
      const after = change(before);
      this.wallet.put(after);
      return after;
    }
  }

  subscribe(listener: (state: WalletState) => void): () => void {
    return this.wallet.subscribe(listener);
  }
}
