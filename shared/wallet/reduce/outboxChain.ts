/**
 * The outbox reducer, events of the chain: blocks accept, settle, conflict with or outdate payments, and reorganisations undo
 * it.
 *
 * A payment is recognised by the nullifiers it reserved, never by asking a node about it.
 */
import type { Nullifier, TxId } from "../../base/brand.ts";
import {
  holdsNotes,
  isChainStatus,
  mayStillApply,
  type ChainStatus,
  type Payment,
  type PaymentStatus,
} from "../state/payment.ts";
import type { ChainBlock } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** The applied transactions of one block that spend notes of payments: nullifier → transaction. */
export type OwnSpends = ReadonlyMap<Nullifier, TxId>;

/** Returns all payments after `block`. Payments that do not change are the same objects. */
export function applyBlockToOutbox(
  outbox: readonly Payment[],
  block: ChainBlock,
  spends: OwnSpends,
  policy: WalletPolicy,
): readonly Payment[] {
  let changed = false;
  const next = outbox.map((payment) => {
    const status = statusAfter(payment, block, spends, policy);
    if (status === null) return payment;
    changed = true;
    return { ...payment, status };
  });
  return changed ? next : outbox;
}

function statusAfter(
  payment: Payment,
  block: ChainBlock,
  spends: OwnSpends,
  policy: WalletPolicy,
): ChainStatus | null {
  const { status } = payment;
  const set = { at: block.chainIndex, previous: status };
  if (status.state === "accepted") {
    const { blueScore } = status;
    const settled = block.blueScore - blueScore >= policy.settleDepth;
    return settled ? { ...set, state: "settled", blueScore } : null;
  }
  const isExpired = status.state === "expired";
  // That it is too old is one node's word: what became of its notes still decides it.
  if (!mayStillApply(payment) && !(isExpired && payment.txid !== null)) return null;
  const txid = payment.reserved
    .map(({ nullifier }) => spends.get(nullifier))
    .find((spender) => spender !== undefined);
  if (txid !== undefined) {
    return txid === payment.txid
      ? { ...set, state: "accepted", blueScore: block.blueScore }
      : { ...set, state: "conflicted", txid };
  }
  return !isExpired && outdated(payment, block, policy) ? { ...set, state: "expired" } : null;
}

/**
 * A payment has no expiry of its own; only the age of its anchor ends it. The settle depth is
 * added so that a reorganisation to a chain with fewer blue blocks cannot revive it.
 */
function outdated(payment: Payment, block: ChainBlock, policy: WalletPolicy): boolean {
  if (payment.anchor === null) return false;
  return block.blueScore - payment.anchor.blueScore > policy.maxAnchorAge + policy.settleDepth;
}

/** Returns all payments after the blocks above `common` were undone. */
export function revertOutbox(outbox: readonly Payment[], common: ChainBlock): readonly Payment[] {
  return outbox.map((payment) => {
    let status: PaymentStatus = payment.status;
    while (isChainStatus(status) && status.at > common.chainIndex && status.previous !== null) {
      status = status.previous;
    }
    return status === payment.status ? payment : { ...payment, status };
  });
}

/**
 * Returns all payments for a rescan from `birthday`. A settled payment was settled by blocks that the rescan may not bring, and
 * its earlier state is forgotten: such a payment holds no notes, a second try shares one with
 * it, and whatever block the scan finds it in decides it again (decision 24).
 */
export function restartOutbox(
  outbox: readonly Payment[],
  birthday: ChainBlock,
): readonly Payment[] {
  return revertOutbox(outbox, birthday).map((payment) => {
    const { status, txid } = payment;
    if (!isChainStatus(status) || status.at <= birthday.chainIndex || txid === null) return payment;
    return { ...payment, status: { state: "expired", at: status.at, previous: status.previous } };
  });
}

/**
 * Forgets what only served to undo blocks that can no longer be undone: `oldest` and below. A payment that is too old keeps
 * all: a scan that begins anew may find it young enough.
 */
export function compactOutbox(outbox: readonly Payment[], oldest: ChainBlock): readonly Payment[] {
  let changed = false;
  const next = outbox.map((payment) => {
    const { status } = payment;
    if (!isChainStatus(status)) return payment;
    if (status.state === "accepted" || status.state === "expired") return payment;
    if (status.at > oldest.chainIndex || status.previous === null) return payment;
    changed = true;
    return { ...payment, raw: null, status: { ...status, previous: null } };
  });
  return changed ? next : outbox;
}

/** Maps each reserved note to the payment that holds it: nullifier → payment. */
export function reservations(outbox: readonly Payment[]): ReadonlyMap<Nullifier, Payment> {
  const held = new Map<Nullifier, Payment>();
  for (const payment of outbox) {
    if (!holdsNotes(payment)) continue;
    for (const { nullifier } of payment.reserved) held.set(nullifier, payment);
  }
  return held;
}
