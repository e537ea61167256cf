/** Anchors a receipt: a node shows a tip of its chain, which is checked. The receipt then stands as firm as the chain. */
import type { CoreReceipts, ReceiptQuestion } from "@svc/shared/light/coreReceipts.ts";
import type { TipPort } from "@svc/shared/light/evidencePort.ts";
import { findAnchor } from "@svc/shared/light/findAnchor.ts";
import type { ReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";

/** Who judges, and who shows the chain. */
export type Anchoring = {
  readonly receipts: CoreReceipts;
  readonly node: TipPort;
  readonly signal: AbortSignal;
};

/** Checks a receipt under a node's tip. Rejects as `findAnchor` does, and as `CoreReceipts.checkInChain` throws. */
export async function anchorReceipt(
  { receipts, node, signal }: Anchoring,
  receipt: Uint8Array,
  question: ReceiptQuestion = {},
): Promise<ReceiptFacts> {
  const anchor = await findAnchor(node, receipts.headerOf(receipt), signal);
  return receipts.checkInChain(receipt, anchor, question);
}
