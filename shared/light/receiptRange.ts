/** Where the header of a receipt is looked for: a rule that everybody who makes receipts has in common. */
import { asChainIndex, type ChainIndex } from "../base/brand.ts";
import type { ReceiptFacts } from "../protocol/facts/receiptFacts.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";

/** Chain indices of two blocks: the header is above the first, and at most the second. */
export type ReceiptRange = { readonly from: ChainIndex; readonly to: ChainIndex };

/**
 * Near the tip, but so far below it that the chain keeps the header, and so far above the payment that the header's branch is sure. Null
 * for a payment that is too young for that: the header is looked for from its own block up to the tip, and a receipt that is made later
 * is a better one.
 */
export function receiptRange(paid: ChainIndex, tip: ChainIndex): ReceiptRange | null {
  const { receiptSureBlocks: sure, receiptHeaderBlocks: reach } = LIGHT_LIMITS;
  const settled = tip - sure;
  const near = tip - reach;
  const low = near > paid + sure ? near : paid + sure;
  return low < settled ? { from: asChainIndex(low), to: asChainIndex(settled) } : null;
}

/**
 * Whether a receipt by itself stands so near its header that this may be one of a branch that the chain left: its miner did not lie,
 * and nobody had to forge it. A tip that was checked settles the matter.
 */
export function standsNear({ grade, depth }: Pick<ReceiptFacts, "grade" | "depth">): boolean {
  return grade === "work" && depth < LIGHT_LIMITS.receiptSureBlocks;
}
