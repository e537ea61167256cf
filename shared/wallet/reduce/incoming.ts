/**
 * Incoming unconfirmed payments: seen in the node's mempool, never counted as money.
 *
 * They live beside the state and are not stored; after a restart the node tells them again.
 */
import type { Sompi, TxId } from "../../base/brand.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { MAX_SOMPI } from "../../base/money.ts";
import type { ScanFacts } from "../state/scanFacts.ts";
import { sumOfNotes, unspentNotes, type WalletState } from "../state/walletState.ts";

/** An unconfirmed receipt. */
export type IncomingPayment = {
  readonly txid: TxId;
  readonly amount: Sompi;
  /** Hex of the first memo. */
  readonly memo: string;
  readonly addressIndex: number | null;
};

/**
 * Adds what a scan of pool transactions found. A transaction that spends one of our notes is a
 * payment of our own; what it brings is change and not shown. Receipts of more coins than there are, alone or together, are
 * not shown either: the pool is one node's word. The oldest entries give way.
 */
export function addIncoming(
  incoming: readonly IncomingPayment[],
  facts: ScanFacts,
  state: WalletState,
): readonly IncomingPayment[] {
  // Most of what waits in a pool pays others: nobody looks through a long wallet for it.
  if (facts.blocks.every(({ notes }) => notes.length === 0)) return incoming;
  const own = new Set(unspentNotes(state).map(({ nullifier }) => nullifier));
  const known = new Set([...incoming, ...state.history].map(({ txid }) => txid));
  let worth = incoming.reduce((sum, { amount }) => sum + amount, 0n);
  const found = facts.blocks.flatMap(({ notes, txs }) =>
    txs.flatMap(({ txid, nullifiers }): IncomingPayment[] => {
      const received = notes.filter((note) => note.txid === txid);
      const [first] = received;
      if (first === undefined || known.has(txid)) return [];
      if (nullifiers.some((nullifier) => own.has(nullifier))) return [];
      worth += received.reduce((sum, { value }) => sum + value, 0n);
      if (worth > MAX_SOMPI) return [];
      const memo = received.find((note) => note.memo !== "")?.memo ?? "";
      return [{ txid, amount: sumOfNotes(received), memo, addressIndex: first.addressIndex }];
    }),
  );
  return found.length === 0
    ? incoming
    : [...incoming, ...found].slice(-WALLET_LIMITS.walletIncomingMax);
}

/** Drops transactions that the pool no longer holds or that a block has applied. */
export function dropIncoming(
  incoming: readonly IncomingPayment[],
  txids: Iterable<TxId>,
): readonly IncomingPayment[] {
  const gone = new Set(txids);
  const kept = incoming.filter(({ txid }) => !gone.has(txid));
  return kept.length === incoming.length ? incoming : kept;
}
