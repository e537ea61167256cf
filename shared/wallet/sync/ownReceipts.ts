/** Makes the receipts of a payment that a wallet received: of its own notes and tree, and a node's evidence. */
import type { ChainIndex } from "../../base/brand.ts";
import { askedOnce } from "../../light/askedOnce.ts";
import type { CoreReceipts, ReceiptNote } from "../../light/coreReceipts.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import { makeReceipt } from "../../light/makeReceipt.ts";
import type { NoteTree } from "../state/noteTree.ts";
import { cursorOf, type OwnNote, type WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { receiptBlocks, receiptFrom } from "./receiptBlocks.ts";

/** What came of it. */
export type OwnReceipts =
  /** One for each note of the payment. */
  | { readonly kind: "made"; readonly receipts: readonly Uint8Array[] }
  /** Too few blocks lie above the payment. */
  | { readonly kind: "young"; readonly blocksLeft: bigint }
  /** The wallet no longer has the notes: they were spent longer ago than it remembers blocks. */
  | { readonly kind: "forgotten" };

/** Dependencies. */
export type OwnReceiptParts = {
  readonly receipts: CoreReceipts;
  readonly node: EvidencePort;
  readonly policy: WalletPolicy;
  /** Full viewing key: it signs the challenge. */
  readonly viewingKey: Uint8Array;
};

/**
 * Makes them. `rowId`: of the line of the history. `challenge`: a text of the asker, which the receipt then carries with this wallet's answer; empty for none.
 * The tree is read before anything is awaited. Rejects as `makeReceipt` does.
 */
export async function ownReceipts(
  { receipts, node, policy, viewingKey }: OwnReceiptParts,
  { state, tree }: { readonly state: WalletState; readonly tree: NoteTree },
  { rowId, challenge }: { readonly rowId: string; readonly challenge: string },
  signal: AbortSignal,
): Promise<OwnReceipts> {
  const notes = state.notes.filter((note) => isOf(note, rowId));
  const [first] = notes;
  if (first === undefined) return { kind: "forgotten" };
  const blocks = receiptBlocks(state.blocks, first.chainIndex, policy);
  if (blocks === null) return { kind: "young", blocksLeft: blocksLeft(state, first.chainIndex) };
  const { block, from, to } = blocks;
  const orders = notes.map((own) => {
    const note = noteOf(own);
    const path = tree.path(own.position, block.leafEnd);
    const answer = challenge === "" ? null : receipts.answer(viewingKey, note, challenge);
    const said = answer && { challenge: { text: challenge, answer } };
    return { note, path, block: block.hash, from: from.hash, to: to.hash, ...said };
  });
  const once = askedOnce(node);
  const made: Uint8Array[] = [];
  // oxlint-disable-next-line no-await-in-loop -- the second has its evidence from the first
  for (const order of orders) made.push(await makeReceipt(receipts, once, order, signal));
  return { kind: "made", receipts: made };
}

/** A payment is named by its transaction, a mined note by its output, too. Change is nobody's payment. */
function isOf({ kind, txid, outputIndex }: OwnNote, rowId: string): boolean {
  if (kind === "change") return false;
  return rowId === (kind === "coinbase" ? `${txid}:${outputIndex}` : txid);
}

function blocksLeft(state: WalletState, paid: ChainIndex): bigint {
  const left = receiptFrom(paid) - cursorOf(state).chainIndex;
  return left > 0n ? left : 1n;
}

function noteOf({ recipient, value, rho, rseed, position }: OwnNote): ReceiptNote {
  return { recipient, value, rho, rseed, position: Number(position) };
}
