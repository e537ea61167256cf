/**
 * Writes the feeds: each change of a wallet's receipts in the commit that makes the change.
 *
 * The store says which credits stand. A scan that comes past their blocks again, after a start or a rescan, finds them and writes
 * nothing, or does not find them and reverses them. So a feed is right whatever the snapshot that the wallet was opened with.
 */
import { asChainIndex, asTimestampMs, type TxId } from "@svc/shared/base/brand.ts";
import { blockAt } from "@svc/shared/wallet/state/chainView.ts";
import type { ScannedNote } from "@svc/shared/wallet/state/scanFacts.ts";
import {
  cursorOf,
  type ChainBlock,
  type WalletState,
} from "@svc/shared/wallet/state/walletState.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { DepositEvent } from "../store/depositEvent.ts";
import type { FeedEntry } from "../store/eventTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { LoadedWallet } from "../wallets/loadedWallet.ts";
import type { MovedWallet } from "../wallets/scanLane.ts";
import { depositEvents, notesAbove, told, type Deposit } from "./depositEvents.ts";

/** Dependencies of the feeds. */
export type DepositFeedParts = {
  readonly store: Pick<WalletStore, "events" | "commit">;
  readonly policy: Pick<WalletPolicy, "settleDepth">;
  readonly clock: Pick<Clock, "nowMs">;
  /** What else is written with an entry, such as its delivery. */
  readonly also: (batch: StoreBatch, token: WalletToken, entry: FeedEntry) => void;
  /** There may be something new in a feed: the commit that wrote it is over, or has failed. */
  readonly onNews: (token: WalletToken) => void;
};

/** What is known of a wallet since it was opened. */
type Followed = {
  /** The block at which its first change found it; while it stands there, that change was not kept. */
  readonly from: ChainBlock;
  /** No credit in the store is of a block above this one. */
  highest: bigint;
};

/** The feeds of all wallets. */
export class DepositFeed {
  readonly #parts: DepositFeedParts;
  readonly #followed = new WeakMap<LoadedWallet, Followed>();

  constructor(parts: DepositFeedParts) {
    this.#parts = parts;
  }

  /** Adds what a change did to a wallet's receipts to the commit of the change. */
  follow(batch: StoreBatch, { wallet, before, after }: MovedWallet): void {
    const { policy } = this.#parts;
    const { token } = wallet.keys;
    const known = this.#followed.get(wallet);
    const isFirst = known === undefined || known.from.hash === cursorOf(before).hash;
    const followed = isFirst ? this.#begin(batch, wallet, before) : known;
    const events = [
      ...this.#stale(batch, token, { before, after, isFirst, highest: followed.highest }),
      ...(isFirst ? recent(after) : []),
      ...depositEvents(before, after, policy),
    ];
    if (events.length === 0) return;
    const highest = cursorOf(after).chainIndex;
    if (highest > followed.highest) followed.highest = highest;
    this.#append(batch, token, events);
  }

  /**
   * Tells of notes that wait in a node's pool, unless a block has paid them already. Throws `store/commit-failed` and its kin.
   */
  seen(token: WalletToken, notes: readonly ScannedNote[], state: WalletState): void {
    if (notes.length === 0) return;
    const paid = new Set<TxId>(state.history.map(({ txid }) => txid));
    const fresh = notes.filter(({ txid }) => !paid.has(txid));
    this.#parts.store.commit((batch) => this.#append(batch, token, fresh.map(waiting)));
  }

  #begin(batch: StoreBatch, wallet: LoadedWallet, before: WalletState): Followed {
    const highest = this.#parts.store.events.highestCredit(wallet.keys.token, batch) ?? -1n;
    const followed = { from: cursorOf(before), highest };
    this.#followed.set(wallet, followed);
    return followed;
  }

  /** Reversals of the credits that the blocks of this change do not hold any more. */
  #stale(
    batch: StoreBatch,
    token: WalletToken,
    {
      before,
      after,
      isFirst,
      highest,
    }: Pick<MovedWallet, "before" | "after"> & {
      readonly isFirst: boolean;
      readonly highest: bigint;
    },
  ): readonly Deposit[] {
    const [from, to] = [cursorOf(before).chainIndex, cursorOf(after).chainIndex];
    const [oldest] = after.blocks;
    const low = from < to ? from : to;
    const above =
      isFirst && oldest !== undefined && oldest.chainIndex < low ? oldest.chainIndex : low;
    if (highest <= above) return [];
    const notes = new Set(
      notesAbove(after, asChainIndex(above)).map(
        (note) => `${note.chainIndex}:${note.txid}:${note.outputIndex}`,
      ),
    );
    const isThere = ({ chainIndex, txid, outputIndex, blockHash }: DepositEvent): boolean =>
      chainIndex !== null &&
      blockAt(after.blocks, chainIndex)?.hash === blockHash &&
      notes.has(`${chainIndex}:${txid}:${outputIndex}`);
    return [...this.#parts.store.events.standing(token, above, from > to ? from : to, batch)]
      .filter((credit) => !isThere(credit))
      .map((credit) => ({ ...credit, kind: "reversed" }));
  }

  #append(batch: StoreBatch, token: WalletToken, events: readonly Deposit[]): void {
    const { store, clock, also, onNews } = this.#parts;
    const createdMs = asTimestampMs(clock.nowMs());
    const append = (deposit: Deposit): boolean => {
      const event = { ...deposit, createdMs };
      const cursor = store.events.append(batch, token, event);
      if (cursor !== null) also(batch, token, { cursor, event });
      return cursor !== null;
    };
    const isNew = events.map((deposit) => {
      const credit = store.events.creditOf(token, deposit, batch);
      if (deposit.kind === "credited" && credit !== undefined && !isSameBlock(credit, deposit)) {
        // One transaction pays once: it has moved to another block, and what was there is not on the chain.
        append({ ...credit, kind: "reversed" });
      }
      // A block that the wallet does not remember is the one that was credited.
      const blockHash = deposit.blockHash ?? credit?.blockHash ?? null;
      return append(deposit.kind === "seen" ? deposit : { ...deposit, blockHash });
    });
    // A commit does not wait: it is over before this runs.
    if (isNew.includes(true)) queueMicrotask(() => onNews(token));
  }
}

function isSameBlock(a: Deposit, b: Deposit): boolean {
  return a.blockHash === b.blockHash;
}

/** Credits of all blocks that may still be undone: a snapshot may hold what the feed took back, and what has come back since. */
function recent(state: WalletState): readonly Deposit[] {
  const [oldest] = state.blocks;
  return oldest === undefined ? [] : told("credited", notesAbove(state, oldest.chainIndex), state);
}

function waiting(note: ScannedNote): Deposit {
  return {
    kind: "seen",
    txid: note.txid,
    outputIndex: note.outputIndex,
    blockHash: null,
    chainIndex: null,
    blueScore: null,
    daaScore: null,
    amount: note.value,
    recipient: note.recipient,
    addressIndex: note.addressIndex,
    memo: note.memo,
  };
}
