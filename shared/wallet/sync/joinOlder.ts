/**
 * Reducer that joins two scans of one wallet: that of recent blocks, with the payments that were made meanwhile, and that of all blocks
 * from the birthday on (decision 59).
 *
 * The scan that read everything decides what there is. What the other one knows better is kept: its payments and orders, and the rows and
 * notes of these payments. Nothing that either found is lost, and what either saw spent is spent.
 */
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { isNoLie } from "../proof/isNoLie.ts";
import { isAtWork } from "../reduce/outbox.ts";
import { rollback } from "../reduce/rollback.ts";
import type { StateAndTree } from "./evidenceTaker.ts";
import {
  cursorOf,
  type ChainBlock,
  type HistoryRow,
  type OwnNote,
  type WalletState,
} from "../state/walletState.ts";

/** How a try to join ended. `busy`: a payment is being made; `apart`: the scans share no block, or one of them met a liar. */
export type OlderOutcome = "taken" | "busy" | "apart";

/** A payment is being made: its notes and their paths must stay as they are. */
export function hasPaymentUnderWay({ outbox }: Pick<WalletState, "outbox">): boolean {
  return outbox.some(({ status }) => isAtWork(status));
}

/** The joined state, or why there is none now. Throws `wallet/tree-mismatch` where the two scans have other notes up to the same block. */
export function joinedState(
  recent: StateAndTree,
  older: StateAndTree,
): WalletState | Exclude<OlderOutcome, "taken"> {
  if (hasPaymentUnderWay(recent.state)) return "busy";
  const joined = joinOlder(recent.state, older.state);
  if (joined === null) return "apart";
  const { leafEnd } = cursorOf(joined);
  const expected = encodeHex(recent.tree.root(leafEnd));
  const found = encodeHex(older.tree.root(leafEnd));
  if (expected !== found) throw new SvcError("wallet/tree-mismatch", { expected, found });
  return joined;
}

/**
 * The state as of the last block that both remember; null where they share none, where the second begins no earlier, and while a node
 * that was found lying stands between. The payments are as the first one left them.
 */
export function joinOlder(recent: WalletState, older: WalletState): WalletState | null {
  const common = lastCommonBlock(recent, older);
  if (common === null) return null;
  const own = rollback(recent, common.hash);
  const read = rollback(older, common.hash);
  const { birthday, historyMissing } = read.account;
  const nextAddressIndex = Math.max(own.account.nextAddressIndex, read.account.nextAddressIndex);
  const paid = new Set(own.outbox.map(({ txid }) => txid));
  return {
    ...read,
    account: { ...own.account, birthday, historyMissing, nextAddressIndex },
    notes: joinedNotes(own.notes, read.notes, paid),
    history: joinedRows(own.history, read.history, paid),
    outbox: own.outbox,
    orders: own.orders,
    proof: { ...read.proof, floor: read.proof.floor ?? own.proof.floor },
  };
}

/** The last block that both remember, where they may be joined; null else. */
export function lastCommonBlock(recent: WalletState, older: WalletState): ChainBlock | null {
  if (metLiar(recent) || metLiar(older)) return null;
  if (older.account.birthday.chainIndex >= recent.account.birthday.chainIndex) return null;
  const known = new Set(recent.blocks.map(({ hash }) => hash));
  return older.blocks.findLast(({ hash }) => known.has(hash)) ?? null;
}

function metLiar({ proof: { fault } }: WalletState): boolean {
  return fault !== null && !isNoLie(fault);
}

/** Transactions of the wallet's own payments. */
type Paid = ReadonlySet<string | null>;

function joinedNotes(
  own: readonly OwnNote[],
  read: readonly OwnNote[],
  paid: Paid,
): readonly OwnNote[] {
  const ours = new Map(own.map((note) => [note.position, note]));
  const notes = read.map((note): OwnNote => {
    const known = ours.get(note.position);
    if (known === undefined) return note;
    ours.delete(note.position);
    const kind = paid.has(note.txid) ? known.kind : note.kind;
    return { ...note, kind, spentBy: note.spentBy ?? known.spentBy };
  });
  return inOrder([...notes, ...ours.values()], (note) => note.position);
}

/** A payment's payees, fee and memo are known to whoever made it alone. */
function joinedRows(
  own: readonly HistoryRow[],
  read: readonly HistoryRow[],
  paid: Paid,
): readonly HistoryRow[] {
  const ours = new Map(own.map((row) => [row.id, row]));
  const rows = read.map((row) => {
    const known = ours.get(row.id);
    ours.delete(row.id);
    return known !== undefined && paid.has(row.txid) ? known : row;
  });
  return inOrder([...rows, ...ours.values()], (row) => row.chainIndex);
}

/** Sorted; what is equal stays in its order. */
function inOrder<Item>(items: readonly Item[], placeOf: (item: Item) => bigint): readonly Item[] {
  return items.toSorted((a, b) => Number(placeOf(a) - placeOf(b)));
}
