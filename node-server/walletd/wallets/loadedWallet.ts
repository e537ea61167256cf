/** A wallet in memory: its viewing key, and its state as the lane that scans for it moves it on. */
import type { Nullifier } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ScanFacts } from "@svc/shared/wallet/state/scanFacts.ts";
import type { WalletIdentity } from "@svc/shared/wallet/run/openWallet.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { applyPage, watchedNullifiers, type LanePage } from "./applyPage.ts";

/** What a wallet is opened with. */
export type WalletKeys = {
  readonly token: WalletToken;
  /** Full viewing key, 96 bytes. */
  readonly fvk: Uint8Array;
  readonly identity: WalletIdentity;
};

/** A wallet whose state is in memory. */
export class LoadedWallet {
  readonly keys: WalletKeys;
  readonly #listeners = new Set<(state: WalletState) => void>();
  #state: WalletState | null = null;
  #watched: ReadonlySet<Nullifier> = new Set();
  #revision = 0;

  /** Without a state the wallet is still looking for the block to begin at. */
  constructor(keys: WalletKeys, state: WalletState | null) {
    this.keys = keys;
    if (state !== null) this.put(state);
  }

  /** Full viewing key, 96 bytes. */
  get fvk(): Uint8Array {
    return this.keys.fvk;
  }

  /** Whether the block to begin at was found. */
  get isBegun(): boolean {
    return this.#state !== null;
  }

  /** The last committed state. Throws `wallet/opening` before the scan has begun. */
  get state(): WalletState {
    if (this.#state === null) throw new SvcError("wallet/opening", {});
    return this.#state;
  }

  /** Grows with every change of the state beyond the blocks it has come past. */
  get revision(): number {
    return this.#revision;
  }

  /** The state after a page of the wallet's lane; nothing changes yet. Throws `wallet/bad-page`. */
  after(page: LanePage, own: ScanFacts | null, policy: WalletPolicy): WalletState {
    return applyPage({ state: this.state, watched: this.#watched }, page, own, policy);
  }

  /** Makes a committed state visible. */
  put(state: WalletState): void {
    const before = this.#state;
    this.#state = state;
    if (before === null || !isAlike(before, state)) {
      this.#revision += 1;
      this.#watched = watchedNullifiers(state);
    }
    for (const listener of this.#listeners) listener(state);
  }

  /** Calls `listener` after every change; the answer stops it. */
  subscribe(listener: (state: WalletState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Whether two states differ in nothing but the blocks they have come past. */
function isAlike(a: WalletState, b: WalletState): boolean {
  return (
    a.account === b.account &&
    a.notes === b.notes &&
    a.history === b.history &&
    a.outbox === b.outbox &&
    a.contradiction === b.contradiction
  );
}
