/** Applies a step of the scan to the stored receipts: new payments and receipts are added, and a rollback removes its own. */
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { ScanStep } from "./chainScan.ts";
import type { PaidNote, ReceiptFact } from "../receipts/paidNote.ts";
import type { ReceiptTable } from "../receipts/receiptTable.ts";

/** How a host keeps receipts. */
export type ReceiptKeeping = {
  /** Whether a receipt is made of a payment; it is asked after the step's payments were written down. */
  readonly wants: (paid: PaidNote) => boolean;
  /** Whether receipts go when no reorganisation reaches their payment any more: somebody else keeps them. */
  readonly handsOver: boolean;
};

/**
 * Writes a step, behind its payments, and returns what became of receipts: those that are lost first, then those that were made. Of
 * payments that lose their block nothing is said: the receipt goes with it.
 */
export function keepReceipts(
  table: ReceiptTable,
  batch: StoreBatch,
  { common, found, covered = null, receipts = [] }: ScanStep,
  { wants, handsOver }: ReceiptKeeping,
): readonly ReceiptFact[] {
  const lost = table.cut(batch, common);
  if (covered === null) {
    table.clear(batch);
    return lost.map((paid) => factOf(paid, null));
  }
  for (const { chainIndex, fact, note = null } of found) {
    const { key, index, input } = fact;
    if (note === null || input.kind !== "mined") continue;
    const { output, block } = input;
    const paid = { key, index, cmx: output.cmx, block: block.hash, chainIndex, note };
    if (wants(paid)) table.put(batch, paid);
  }
  const made = receipts.filter((receipt) => table.keep(batch, receipt));
  const base = covered.proof?.base ?? null;
  if (base !== null) table.forget(batch, base.chainIndex, { files: handsOver });
  return [
    ...lost.map((paid) => factOf(paid, null)),
    ...made.map(({ paid, bytes }) => factOf(paid, bytes)),
  ];
}

function factOf({ key, index, cmx, block }: PaidNote, bytes: Uint8Array | null): ReceiptFact {
  return { key, index, cmx, block, bytes };
}
