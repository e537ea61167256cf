/**
 * Writes snapshots of open wallets: of those in which something happened every few seconds, of the others only how far they have
 * been scanned.
 */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { walletLabel } from "../keys/walletToken.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "./openWallet.ts";
import { encodeSnapshot } from "./walletSnapshot.ts";

/** Dependencies of the writer. */
export type SnapshotParts = {
  readonly folder: Pick<WalletFolder, "writeScan">;
  readonly store: WalletStore;
  readonly clock: Pick<Clock, "steadyMs">;
  readonly log: Log;
};

type Saved = {
  /** The revision that is on disk. */
  readonly revision: number;
  /** The commit that the file names. */
  readonly sequence: bigint;
  /** How far the store says that it holds. */
  readonly chainIndex: ChainIndex;
  /** When it was written, and how long that took: large wallets are written less often. */
  readonly atMs: bigint;
  readonly tookMs: bigint;
};

/** Keeps wallets on disk. */
export class SnapshotWriter {
  readonly #parts: SnapshotParts;
  readonly #saved = new WeakMap<OpenWallet, Saved>();

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /**
   * Writes the wallet unless nothing happened in it since the last time. Rejects with `wallet/storage`, `store/commit-failed` and
   * its kin.
   */
  async save(open: OpenWallet): Promise<void> {
    const { wallet } = open;
    if (!wallet.isBegun || open.rowsLost) return;
    if (this.#saved.get(open)?.revision === wallet.revision) {
      this.#commitCursors([open]);
      return;
    }
    await this.#write(open);
  }

  /** Writes those of the wallets that are due. What fails is logged, and tried again. */
  async saveDue(wallets: readonly OpenWallet[]): Promise<void> {
    const now = this.#parts.clock.steadyMs();
    const begun = wallets.filter(({ wallet, rowsLost }) => wallet.isBegun && !rowsLost);
    for (const open of begun) {
      if (!this.#isDue(open, now)) continue;
      await this.#write(open).catch((thrown: unknown) => {
        const err = SvcError.from(thrown);
        this.#parts.log.warn({ wallet: walletLabel(open.token), err }, "a wallet was not written");
      });
    }
    this.#commitCursors(begun.filter((open) => this.#isCurrent(open)));
  }

  #isCurrent(open: OpenWallet): boolean {
    return this.#saved.get(open)?.revision === open.wallet.revision;
  }

  #isDue(open: OpenWallet, now: bigint): boolean {
    const saved = this.#saved.get(open);
    if (saved === undefined) return true;
    if (saved.revision === open.wallet.revision) return false;
    const pause = saved.tookMs * WALLETD_LIMITS.snapshotShare;
    const everyMs = WALLETD_LIMITS.snapshotEveryMs;
    return now - saved.atMs >= (pause > everyMs ? pause : everyMs);
  }

  /** The file names a commit that no other file of this wallet names: so its row in the store can only mean this one. */
  async #write(open: OpenWallet): Promise<void> {
    const { folder, store, clock } = this.#parts;
    const { token, wallet } = open;
    const { state, revision } = wallet;
    const atMs = clock.steadyMs();
    const { hash, chainIndex } = cursorOf(state);
    store.commit((batch) =>
      store.cursors.put(batch, token, { snapshotSequence: 0n, hash, chainIndex }),
    );
    const { sequence } = store;
    const bytes = encodeSnapshot({ sequence, state });
    const tookMs = clock.steadyMs() - atMs;
    await folder.writeScan(token, bytes);
    store.commit((batch) =>
      store.cursors.put(batch, token, { snapshotSequence: sequence, hash, chainIndex }),
    );
    this.#saved.set(open, { revision, sequence, chainIndex, atMs, tookMs });
  }

  /** Says how far wallets were scanned in which nothing happened since their files were written. */
  #commitCursors(wallets: readonly OpenWallet[]): void {
    const { store } = this.#parts;
    const moved = wallets.flatMap((open) => {
      const saved = this.#saved.get(open);
      const { hash, chainIndex } = cursorOf(open.state);
      return saved === undefined || saved.chainIndex === chainIndex
        ? []
        : [{ open, saved: { ...saved, chainIndex }, hash }];
    });
    if (moved.length === 0) return;
    store.commit((batch) => {
      for (const { open, saved, hash } of moved) {
        const { sequence: snapshotSequence, chainIndex } = saved;
        store.cursors.put(batch, open.token, { snapshotSequence, hash, chainIndex });
      }
    });
    for (const { open, saved } of moved) this.#saved.set(open, saved);
  }
}
