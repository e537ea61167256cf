/**
 * Decides which notes can be spent now, and against which block (anchor). This is the only place that
 * does.
 *
 * A note is spendable exactly if its position lies below the leaf count of the anchor that the
 * planner would use now (specification wallet 10.1). Two anchors come into question: `limit`, the
 * newest block that consensus allows, and `preferred`, an older one on a grid that many wallets
 * share, which is used whenever its notes are enough.
 */
import { reservations } from "../reduce/outboxChain.ts";
import type { Payment } from "../state/payment.ts";
import { cursorOf, type ChainBlock, type OwnNote, type WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** The status of an unspent note: what keeps it from being spent. */
export type NoteStatus = {
  readonly note: OwnNote;
  readonly standing: "spendable" | "maturing" | "reserved";
  /** Blue score still to come until the note is under an anchor; 0 when it is. */
  readonly blocksLeft: bigint;
  /** The same in seconds, estimated from the network's block rate. */
  readonly secondsLeft: bigint;
  /** The payment that reserves it. */
  readonly payment: Payment | null;
};

/** The anchors of the moment and the status of every unspent note, ordered by position. */
export type Spendability = {
  readonly preferred: ChainBlock | null;
  readonly limit: ChainBlock | null;
  readonly notes: readonly NoteStatus[];
};

/** Judges every unspent note as of the last scanned block. */
export function spendability(state: WalletState, policy: WalletPolicy): Spendability {
  const { preferred, limit } = anchorBlocks(state, policy);
  const held = reservations(state.outbox);
  const sink = cursorOf(state).blueScore;
  // Notes are ordered by position: those under the anchor are the first ones.
  let isOld = limit !== null;
  const notes: NoteStatus[] = [];
  for (const note of state.notes) {
    if (note.spentBy !== null) continue;
    isOld = isOld && limit !== null && isUnder(note, limit);
    const payment = held.size === 0 ? null : (held.get(note.nullifier) ?? null);
    const blocksLeft = isOld ? 0n : blocksUntil(note, sink, policy);
    const secondsLeft = blocksLeft && ceilDivide(blocksLeft * policy.blockTimeMs, 1_000n);
    const standing = payment ? "reserved" : blocksLeft === 0n ? "spendable" : "maturing";
    notes.push({ note, standing, blocksLeft, secondsLeft, payment });
  }
  return { preferred, limit, notes };
}

/** True when the note is a leaf of the anchor's tree. */
export function isUnder(note: OwnNote, anchor: ChainBlock): boolean {
  return note.position < anchor.leafEnd;
}

function anchorBlocks(
  state: WalletState,
  policy: WalletPolicy,
): { preferred: ChainBlock | null; limit: ChainBlock | null } {
  const sink = cursorOf(state).blueScore;
  const newest = sink - policy.anchorDepth;
  const limit = newestBlockUpTo(state.blocks, newest);
  const shared = ((newest - policy.slack) / policy.grid) * policy.grid;
  const preferred = newest < policy.slack ? null : newestBlockUpTo(state.blocks, shared);
  const oldEnough = (block: ChainBlock | null) =>
    block !== null && sink - block.blueScore <= usableAge(policy) ? block : null;
  return { preferred: oldEnough(preferred), limit: oldEnough(limit) };
}

/**
 * A fifth of the consensus window is left for the payment to get into a block
 * (specification wallet 10.1: 21,600 of 27,000).
 */
function usableAge(policy: WalletPolicy): bigint {
  return (policy.maxAnchorAge * 4n) / 5n;
}

function newestBlockUpTo(blocks: readonly ChainBlock[], blueScore: bigint): ChainBlock | null {
  return blocks.findLast((block) => block.blueScore <= blueScore) ?? null;
}

function blocksUntil(note: OwnNote, sink: bigint, policy: WalletPolicy): bigint {
  const left = note.blueScore + policy.anchorDepth - sink;
  return left > 0n ? left : 1n;
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
