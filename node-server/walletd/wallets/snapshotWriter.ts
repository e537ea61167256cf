/**
 * Writes snapshots of open wallets: of those in which something happened every few seconds, of the others only how far they have
 * been scanned.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { walletLabel } from "../keys/walletToken.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet, SavedSnapshot } from "./openWallet.ts";
import { encodeSnapshot } from "./walletSnapshot.ts";

/** Dependencies of the writer. */
export type SnapshotParts = {
  readonly folder: Pick<WalletFolder, "writeScan">;
  readonly store: WalletStore;
  readonly clock: Pick<Clock, "steadyMs">;
  readonly log: Log;
};

type Saved = SavedSnapshot & {
  /** The revision that is on disk. */
  readonly revision: number;
  /** When it was written, and how long that took: large wallets are written less often. */
  readonly atMs: bigint;
  readonly tookMs: bigint;
};

/** A state that is to be written, as it was at the commit that its file will name. */
type Due = {
  readonly open: OpenWallet;
  readonly state: WalletState;
  readonly revision: number;
};

/** Keeps wallets on disk. */
export class SnapshotWriter {
  readonly #parts: SnapshotParts;
  readonly #saved = new WeakMap<OpenWallet, Saved>();
  /** A wallet that is dropped does not overtake its older state. */
  readonly #turns = new Mutex();
  /** When it was last said how far the others were scanned. */
  #cursorsMs = 0n;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /**
   * Writes the wallet unless nothing happened in it since the last time. Rejects with `wallet/opening` for one that was closed, whose
   * token may be that of another wallet by now; with `wallet/storage`, `store/commit-failed` and its kin.
   */
  async save(open: OpenWallet): Promise<void> {
    await this.#save(open, () => open.requireOpen());
  }

  /** As `save`, for a wallet that was just closed, while nobody opens its token. */
  async saveClosed(open: OpenWallet): Promise<void> {
    await this.#save(open, () => undefined);
  }

  async #save(open: OpenWallet, check: () => void): Promise<void> {
    if (!open.wallet.isBegun || open.rowsLost) return;
    await this.#turns.run(async () => {
      check();
      if (this.#isCurrent(open)) {
        this.#commitCursors([open]);
        return;
      }
      await this.#write([open], (_, thrown) => {
        throw thrown;
      });
    });
  }

  /** Writes those of the wallets that are due. What fails is logged, and tried again. */
  async saveDue(wallets: readonly OpenWallet[]): Promise<void> {
    const now = this.#parts.clock.steadyMs();
    const begun = wallets.filter(({ wallet, rowsLost }) => wallet.isBegun && !rowsLost);
    const due = begun.filter((open) => this.#isDue(open, now));
    const tell = (open: OpenWallet, thrown: unknown): void => {
      const err = SvcError.from(thrown);
      this.#parts.log.warn({ wallet: walletLabel(open.token), err }, "a wallet was not written");
    };
    for (let from = 0; from < due.length; from += WALLETD_LIMITS.snapshotsAtOnce) {
      const some = due.slice(from, from + WALLETD_LIMITS.snapshotsAtOnce);
      await this.#turns.run(() => this.#write(some.filter(isOpen), tell));
    }
    if (now - this.#cursorsMs < WALLETD_LIMITS.snapshotEveryMs) return;
    this.#cursorsMs = now;
    this.#commitCursors(begun.filter((open) => isOpen(open) && this.#isCurrent(open)));
  }

  #savedOf(open: OpenWallet): Saved | undefined {
    const { saved } = open;
    const known = this.#saved.get(open);
    return known ?? (saved === null ? undefined : { ...saved, atMs: 0n, tookMs: 0n });
  }

  #isCurrent(open: OpenWallet): boolean {
    return this.#savedOf(open)?.revision === open.wallet.revision;
  }

  #isDue(open: OpenWallet, now: bigint): boolean {
    const saved = this.#savedOf(open);
    if (saved === undefined) return true;
    if (saved.revision === open.wallet.revision) return false;
    const pause = saved.tookMs * WALLETD_LIMITS.snapshotShare;
    const everyMs = WALLETD_LIMITS.snapshotEveryMs;
    return now - saved.atMs >= (pause > everyMs ? pause : everyMs);
  }

  /**
   * Writes wallets. Their files name a commit that no other file of the same wallet names: so its row in the store can only mean
   * this one. Two commits serve all of them.
   */
  async #write(
    wallets: readonly OpenWallet[],
    onFailure: (open: OpenWallet, thrown: unknown) => void,
  ): Promise<void> {
    const { store } = this.#parts;
    // One that was dropped while others were written is on disk.
    const wanted = wallets.filter((open) => !this.#isCurrent(open));
    if (wanted.length === 0) return;
    const due = wanted.map((open): Due => {
      const { state, revision } = open.wallet;
      return { open, state, revision };
    });
    this.#commit(due.map((one) => ({ ...one, sequence: 0n })));
    const { sequence } = store;
    const written: (Due & Saved)[] = [];
    for (const one of due) {
      try {
        written.push({ ...one, ...(await this.#writeFile(one, sequence)) });
      } catch (thrown) {
        onFailure(one.open, thrown);
      }
    }
    if (written.length === 0) return;
    this.#commit(written);
    for (const { open, state: _, ...saved } of written) this.#saved.set(open, saved);
  }

  async #writeFile({ open, state, revision }: Due, sequence: bigint): Promise<Saved> {
    const { folder, clock } = this.#parts;
    const atMs = clock.steadyMs();
    const bytes = encodeSnapshot({ sequence, state });
    const tookMs = clock.steadyMs() - atMs;
    await folder.writeScan(open.token, bytes);
    return { revision, sequence, chainIndex: cursorOf(state).chainIndex, atMs, tookMs };
  }

  /** Says up to which block the files of wallets hold. */
  #commit(rows: readonly (Pick<Due, "open" | "state"> & Pick<SavedSnapshot, "sequence">)[]): void {
    const { store } = this.#parts;
    store.commit((batch) => {
      for (const { open, state, sequence: snapshotSequence } of rows) {
        const { hash, chainIndex } = cursorOf(state);
        store.cursors.put(batch, open.token, { snapshotSequence, hash, chainIndex });
      }
    });
  }

  /** Says how far wallets were scanned in which nothing happened since their files were written. */
  #commitCursors(wallets: readonly OpenWallet[]): void {
    const moved = wallets.flatMap((open) => {
      const saved = this.#savedOf(open);
      const { state } = open;
      const { chainIndex } = cursorOf(state);
      return saved === undefined || saved.chainIndex === chainIndex
        ? []
        : [{ open, state, ...saved, chainIndex }];
    });
    if (moved.length === 0) return;
    this.#commit(moved);
    for (const { open, state: _, ...saved } of moved) this.#saved.set(open, saved);
  }
}

/** One that was closed is written by who closed it, before another wallet comes under its token. */
function isOpen({ isClosed }: OpenWallet): boolean {
  return !isClosed;
}
