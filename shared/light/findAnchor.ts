/**
 * Finds what anchors a receipt: a tip of a node's chain, and the path of the receipt's header in the log of that tip. Nothing here is
 * believed: `CoreReceipts.checkInChain` judges it, and which node it came from does not matter.
 */
import type { BlockHash } from "../base/brand.ts";
import type { Code } from "../base/generated/codes.ts";
import { SvcError } from "../base/svcError.ts";
import type { ReceiptAnchor } from "./coreReceipts.ts";
import type { TipPort } from "./evidencePort.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";
import { tipEvidence } from "./tipEvidence.ts";

/**
 * Asks a node for the anchor of a header. Rejects with `evidence/not-shown` where nothing stands above the header yet, with
 * `chain/unknown-block` where the node's chain lacks it, and with `wallet/node-unreachable`.
 */
export async function findAnchor(
  node: TipPort,
  header: BlockHash,
  signal: AbortSignal,
): Promise<ReceiptAnchor> {
  for (let depth: bigint = LIGHT_LIMITS.receiptTipBlocks; depth > 0n; depth /= 2n) {
    // oxlint-disable-next-line no-await-in-loop -- a header that is younger than a state stands in that of a later one
    const found = await anchorAt(node, { header, depth }, signal);
    if (found !== null) return found;
  }
  throw new SvcError("evidence/not-shown", { reason: "no block stands above the receipt" });
}

type Place = { readonly header: BlockHash; readonly depth: bigint };

/** The anchor under the state so far below the tip; null where the header is younger, or the node has that state no more. */
async function anchorAt(
  node: TipPort,
  { header, depth }: Place,
  signal: AbortSignal,
): Promise<ReceiptAnchor | null> {
  const tip = await node.evidenceTip(depth, signal).catch(nullFor("chain/pruned"));
  // Without a block above it a state is that of whoever made its header.
  if (tip === null || tip.child === tip.sink) return null;
  const path = node.membership(header, tip.block, signal);
  const membership = await path.catch(nullFor("evidence/not-member"));
  if (membership === null) return null;
  return { tip: await tipEvidence(node, tip, signal), membership };
}

function nullFor(code: Code): (error: unknown) => null {
  return (error) => {
    if (SvcError.is(error, code)) return null;
    throw error;
  };
}
