/**
 * Makes the receipts of a payment that a wallet received or sent: of the notes that it knows, its own tree, and a node's evidence. A node
 * is asked the same for both, whatever the payment (docs/privacy.md).
 */
import type { AddressText, ChainIndex, Sompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { askedOnce } from "../../light/askedOnce.ts";
import type { CoreReceipts, ReceiptChallenge, ReceiptNote } from "../../light/coreReceipts.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import type { LeafRange } from "../../light/leafPlace.ts";
import { makeReceipt, type ReceiptOrder } from "../../light/makeReceipt.ts";
import { blockAt } from "../state/chainView.ts";
import type { NoteTree } from "../state/noteTree.ts";
import type { Payment } from "../state/payment.ts";
import { ownNotes, sentNotes, type ShownNote } from "../state/shownNotes.ts";
import { cursorOf, type HistoryRow, type WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { leafPosition } from "./leafPosition.ts";
import { receiptBlocks, receiptFrom, type ReceiptBlocks } from "./receiptBlocks.ts";

/** What came of it. */
export type OwnReceipts =
  /** One for each note that was received, or one for each payee. */
  | { readonly kind: "made"; readonly receipts: readonly OwnReceipt[] }
  /** Too few blocks lie above the payment. */
  | { readonly kind: "young"; readonly blocksLeft: bigint }
  /** The wallet no longer has the notes: they were spent longer ago than it remembers blocks. */
  | { readonly kind: "forgotten" }
  /** The wallet never had what shows the payee: these keys paid in another wallet, or this one in an older version. */
  | { readonly kind: "undisclosed" };

/** A receipt of one note. */
export type OwnReceipt = {
  readonly bytes: Uint8Array;
  readonly value: Sompi;
  /** Who was paid, of a payment that this wallet sent; null for one that it received. */
  readonly payee: AddressText | null;
};

/** Dependencies. */
export type OwnReceiptParts = {
  readonly receipts: Pick<CoreReceipts, "answer" | "hardestHeader" | "make">;
  readonly node: EvidencePort;
  readonly policy: WalletPolicy;
  /** Full viewing key: it signs the challenge. */
  readonly viewingKey: Uint8Array;
  /** The commitment of a note, 32 bytes (`noteCommitment`). */
  readonly commitment: (note: Omit<ReceiptNote, "position">) => Uint8Array;
};

/** A wallet's state with the tree of the same block. */
type Held = { readonly state: WalletState; readonly tree: NoteTree };

/** The notes of a payment that stand in a block, or why there are none. */
type Found =
  | {
      readonly kind: "notes";
      readonly chainIndex: ChainIndex;
      readonly notes: readonly ShownNote[];
      readonly payment?: Payment;
    }
  | Extract<OwnReceipts, { kind: "forgotten" | "undisclosed" }>;

/**
 * Makes them. `rowId`: of the line of the history. `challenge`: a text of the asker, which the receipt then carries; with this wallet's
 * answer where it is the payee. Empty for none. The tree is read before anything is awaited. Rejects as `makeReceipt` does, and with
 * `wallet/false-record` where the block that is told to have applied a payment does not have its note.
 */
export async function ownReceipts(
  parts: OwnReceiptParts,
  held: Held,
  { rowId, challenge }: { readonly rowId: string; readonly challenge: string },
  signal: AbortSignal,
): Promise<OwnReceipts> {
  const { state } = held;
  const found = notesOf(state, rowId);
  if (found.kind !== "notes") return found;
  const { chainIndex, notes, payment } = found;
  const blocks = receiptBlocks(state.blocks, chainIndex, parts.policy);
  if (blocks === null) return { kind: "young", blocksLeft: blocksLeft(state, chainIndex) };
  const orders = notes.map((shown) => {
    const note = placed(parts, held, shown, chainIndex);
    const said = challenge === "" ? null : challengeOf(parts, shown, note, challenge);
    return { order: orderOf(held, note, blocks, said), payee: payeeOf(payment, shown) };
  });
  const once = askedOnce(parts.node);
  const made: OwnReceipt[] = [];
  for (const { order, payee } of orders) {
    // oxlint-disable-next-line no-await-in-loop -- the second has its evidence from the first
    const bytes = await makeReceipt(parts.receipts, once, order, signal);
    made.push({ bytes, value: order.note.value, payee });
  }
  return { kind: "made", receipts: made };
}

function notesOf(state: WalletState, rowId: string): Found {
  const row = state.history.find(({ id }) => id === rowId);
  if (row === undefined) return { kind: "forgotten" };
  const { txid, chainIndex } = row;
  if (row.kind === "sent") {
    const payment = state.outbox.find((candidate) => candidate.txid === txid);
    const notes = sentNotes({ payment });
    if (payment === undefined || notes.length === 0) return { kind: "undisclosed" };
    return { kind: "notes", chainIndex, notes, payment };
  }
  const notes = ownNotes({ txid, notes: state.notes }).filter((note) => isOf(note, row));
  return notes.length === 0 ? { kind: "forgotten" } : { kind: "notes", chainIndex, notes };
}

/** A payment is named by its transaction, a mined note by its output, too. */
function isOf({ kind, index }: ShownNote, { id, txid }: HistoryRow): boolean {
  return id === (kind === "coinbase" ? `${txid}:${index}` : txid);
}

/** Where a payee's note stands, no scan tells: its commitment is looked for among the leaves. */
function placed(
  { commitment }: OwnReceiptParts,
  { state, tree }: Held,
  shown: ShownNote,
  paid: ChainIndex,
): ReceiptNote {
  const { recipient, value, rho, rseed } = shown;
  const position = shown.position ?? leafPosition(tree, commitment(shown), leavesOf(state, paid));
  if (position === null) {
    const reason = "it has no note of a payment that it is said to hold";
    throw new SvcError("wallet/false-record", { index: paid, reason });
  }
  return { recipient, value, rho, rseed, position: Number(position) };
}

/** The leaves of a block; all that came between the birthday and the oldest remembered block where it is forgotten. */
function leavesOf({ account, blocks }: WalletState, index: ChainIndex): LeafRange {
  const [below, block] = [blockAt(blocks, index - 1n), blockAt(blocks, index)];
  const from = (below ?? account.birthday).leafEnd;
  return { from, to: (block ?? blocks[0] ?? account.birthday).leafEnd };
}

/** Only a payee has the key that answers; a payer's receipt carries the text as it is. */
function challengeOf(
  { receipts, viewingKey }: OwnReceiptParts,
  { kind }: ShownNote,
  note: ReceiptNote,
  text: string,
): ReceiptChallenge {
  return kind === "sent" ? { text } : { text, answer: receipts.answer(viewingKey, note, text) };
}

function orderOf(
  { tree }: Held,
  note: ReceiptNote,
  { block, from, to }: ReceiptBlocks,
  challenge: ReceiptChallenge | null,
): ReceiptOrder {
  const path = tree.path(BigInt(note.position), block.leafEnd);
  const places = { block: block.hash, from: from.hash, to: to.hash };
  return { note, path, ...places, ...(challenge && { challenge }) };
}

function payeeOf(payment: Payment | undefined, shown: ShownNote): AddressText | null {
  const payee = payment?.payees.find(({ recipient }) => recipient === shown.recipient);
  return payee?.address ?? null;
}

function blocksLeft(state: WalletState, paid: ChainIndex): bigint {
  const left = receiptFrom(paid) - cursorOf(state).chainIndex;
  return left > 0n ? left : 1n;
}
