/**
 * Repair of a wallet's state from an older one: what the present one has lost comes back, and the chain is scanned again from the
 * older one's last block.
 *
 * Whether an old note was spent meanwhile is told by the chain alone, so the present one's word on what lies above that block is
 * not taken: the scan finds it again. The present one has scanned these blocks once, so its node has them.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { restartOutbox } from "@svc/shared/wallet/reduce/outboxChain.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import {
  cursorOf,
  type ChainBlock,
  type HistoryRow,
  type OwnNote,
  type WalletState,
} from "@svc/shared/wallet/state/walletState.ts";
import { inOrder } from "../wallets/loadWallet.ts";

/** What a graft is made from. */
export type GraftStates = {
  readonly older: WalletState;
  readonly present: WalletState;
  /** Ids of the payments that the store has: what it says of them counts. */
  readonly stored: ReadonlySet<string>;
};

/** What came back. */
export type Restored = {
  readonly notes: number;
  readonly history: number;
  readonly payments: readonly Payment[];
  /** Whether the scan begins earlier than before. */
  readonly birthday: boolean;
};

/**
 * Joins both. Throws `wallet/graft-refused` where they contradict each other, where blocks are in neither, and when nothing
 * would come back.
 */
export function graftState(states: GraftStates): { state: WalletState; restored: Restored } {
  const { older, present } = states;
  requireOverlap(older, present);
  requireOneChain(older, present);
  const cursor = cursorOf(older);
  const notes = joinedNotes(older, present, cursor);
  const history = joinedHistory(older, present, cursor);
  const payments = lostPayments(states);
  const from = present.account.birthday.chainIndex;
  const known = new Set(present.notes.map(({ position }) => position));
  const restored = {
    // Others are within what the present one scanned, so they were spent since, or the scan finds them again.
    notes: older.notes.filter((note) => note.chainIndex <= from && !known.has(note.position))
      .length,
    history: history.length - present.history.filter((row) => isBelow(row, cursor)).length,
    payments,
    birthday: older.account.birthday.chainIndex < from,
  };
  const isEmpty = restored.notes + restored.history + payments.length === 0;
  if (isEmpty && !restored.birthday) throw refused("the present scan has all that is in the file");
  const outbox = inOrder(restartOutbox([...present.outbox, ...payments], cursor));
  const account = {
    ...older.account,
    bornOn: older.account.bornOn ?? present.account.bornOn,
    nextAddressIndex: Math.max(older.account.nextAddressIndex, present.account.nextAddressIndex),
  };
  return { state: { ...older, account, notes, history, outbox }, restored };
}

/** Every block between the older birthday and the present cursor was scanned by one of them. */
function requireOverlap(older: WalletState, present: WalletState): void {
  const [from, end] = [present.account.birthday.chainIndex, cursorOf(older).chainIndex];
  if (older.account.birthday.chainIndex > from) {
    throw refused("the file begins later than the present scan");
  }
  if (end < from) throw refused(`blocks ${end + 1n} to ${from} of the chain are in neither scan`);
}

function requireOneChain(older: WalletState, present: WalletState): void {
  const hashes = new Map(blocksOf(older).map(({ chainIndex, hash }) => [chainIndex, hash]));
  for (const { chainIndex, hash } of blocksOf(present)) {
    const other = hashes.get(chainIndex);
    if (other === undefined || other === hash) continue;
    throw refused(`the two scans have different blocks at ${chainIndex} of the chain`);
  }
}

function blocksOf({ account, blocks }: WalletState): readonly ChainBlock[] {
  return [account.birthday, ...blocks];
}

/** The notes of both up to the block, by position. */
function joinedNotes(
  older: WalletState,
  present: WalletState,
  cursor: ChainBlock,
): readonly OwnNote[] {
  const notes = new Map(older.notes.map((note) => [note.position, note]));
  for (const found of present.notes.filter((note) => isBelow(note, cursor))) {
    const note = asOf(found, cursor);
    const other = notes.get(note.position);
    if (other !== undefined) requireSame(other, note, cursorOf(present));
    notes.set(note.position, other?.spentBy ? other : note);
  }
  const joined = Array.from(notes.values()).toSorted((a, b) => (a.position < b.position ? -1 : 1));
  if (new Set(joined.map(({ nullifier }) => nullifier)).size < joined.length) {
    throw refused("the two scans have one note at different positions");
  }
  return joined;
}

/** A note as it was at a block. */
function asOf(note: OwnNote, cursor: ChainBlock): OwnNote {
  const isLater = note.spentBy !== null && note.spentBy.chainIndex > cursor.chainIndex;
  return isLater ? { ...note, spentBy: null } : note;
}

function requireSame(older: OwnNote, present: OwnNote, seen: ChainBlock): void {
  const fields = ["nullifier", "cmx", "value", "recipient", "txid", "chainIndex"] as const;
  const isSame = fields.every((field) => older[field] === present[field]);
  if (!isSame) throw refused(`the two scans have different notes at position ${older.position}`);
  const [a, b] = [older.spentBy, present.spentBy];
  const differ = a !== null && b !== null && (a.txid !== b.txid || a.chainIndex !== b.chainIndex);
  const isUnseen = a !== null && b === null && a.chainIndex <= seen.chainIndex;
  if (differ || isUnseen) {
    throw refused(`the two scans differ on what spent the note at position ${older.position}`);
  }
}

/** The history of both up to the block, in chain order. */
function joinedHistory(
  older: WalletState,
  present: WalletState,
  cursor: ChainBlock,
): readonly HistoryRow[] {
  const known = new Set(older.history.map(({ id }) => id));
  const others = present.history.filter((row) => isBelow(row, cursor) && !known.has(row.id));
  return [...older.history, ...others].toSorted((a, b) => Number(a.chainIndex - b.chainIndex));
}

/** Payments that only the older one has, and whose bytes may have left this machine. */
function lostPayments({ older, present, stored }: GraftStates): readonly Payment[] {
  const known = new Set(present.outbox.map(({ id }) => id));
  return older.outbox.filter(({ id, txid }) => txid !== null && !known.has(id) && !stored.has(id));
}

function isBelow({ chainIndex }: { readonly chainIndex: bigint }, cursor: ChainBlock): boolean {
  return chainIndex <= cursor.chainIndex;
}

/** Makes the error of a graft that is refused. */
export function refused(reason: string): SvcError<"wallet/graft-refused"> {
  return new SvcError("wallet/graft-refused", { reason });
}
