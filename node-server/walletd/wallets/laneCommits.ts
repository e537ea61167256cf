/** Commits of the lanes: what a change of the chain did to the shared chain, to payments and to whatever else follows from it. */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { blockAt, type ChainView } from "@svc/shared/wallet/state/chainView.ts";
import { isSettledForGood, type Payment } from "@svc/shared/wallet/state/payment.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { LaneChange, LaneTreeChange, MovedWallet } from "./scanLane.ts";

/** Dependencies of the commits. */
export type LaneCommitParts = {
  readonly store: WalletStore;
  /** Blocks that are remembered. */
  readonly recentBlocks: number;
  /** Adds what else follows from a wallet's move, such as the entries of its feed. */
  readonly follow: (batch: StoreBatch, moved: MovedWallet) => void;
};

/** Makes the changes of lanes durable. */
export class LaneCommits {
  readonly #parts: LaneCommitParts;
  #view: ChainView;

  /** `view` is what the store holds. */
  constructor(parts: LaneCommitParts, view: ChainView) {
    this.#parts = parts;
    this.#view = view;
  }

  /** Commits a change; of the shared chain, too, when it is one of the lane at the tip. Throws `store/commit-failed` and its kin. */
  commit(change: LaneChange, isMain: boolean): void {
    const { store, follow } = this.#parts;
    store.commit((batch) => {
      if (isMain) this.#commitChain(batch, change);
      for (const moved of change.moved) {
        const { keys } = moved.wallet;
        putPayments(store, batch, keys.token, [moved.before.outbox, moved.after.outbox]);
        follow(batch, moved);
      }
    });
    if (isMain) this.#view = change.view;
  }

  #commitChain(batch: StoreBatch, { view, tree }: LaneChange): void {
    const { store, recentBlocks } = this.#parts;
    const common = lastInCommon(this.#view, view);
    const blocks = view.filter(({ chainIndex }) => common === null || chainIndex > common);
    if (view !== this.#view) store.view.change(batch, { common, blocks, most: recentBlocks });
    if (tree !== null) putTree(store, batch, tree);
  }
}

/**
 * Writes the payments that differ, puts away those that left the wallet for good, and forgets the others that are gone. What is put
 * away stays: `before` may be older than that where the store had no room for a change.
 */
export function putPayments(
  { payments }: Pick<WalletStore, "payments">,
  batch: StoreBatch,
  token: string,
  [before, after]: readonly [readonly Payment[], readonly Payment[]],
): void {
  if (before === after) return;
  const known = new Map(before.map((payment) => [payment.id, payment]));
  for (const payment of after) {
    if (known.get(payment.id) !== payment) payments.put(batch, token, payment);
    known.delete(payment.id);
  }
  for (const [id, payment] of known) {
    if (payments.isAway(token, id, batch)) continue;
    if (isSettledForGood(payment)) payments.putAway(batch, token, payment);
    else payments.delete(batch, token, id);
  }
}

function putTree(
  { tree }: Pick<WalletStore, "tree">,
  batch: StoreBatch,
  { start, truncatedTo, appended }: LaneTreeChange,
): void {
  if (start !== null) tree.reset(batch, start.bytes, start.base);
  if (truncatedTo !== null) tree.truncate(batch, truncatedTo);
  if (appended.length > 0) tree.append(batch, appended);
}

/** The chain index of the last block that both views have; null for none. */
function lastInCommon(before: ChainView, after: ChainView): ChainIndex | null {
  const common = before.findLast(
    ({ hash, chainIndex }) => blockAt(after, chainIndex)?.hash === hash,
  );
  return common?.chainIndex ?? null;
}
