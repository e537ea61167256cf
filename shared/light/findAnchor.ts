/**
 * Finds what anchors a receipt: a tip of a node's chain, and the path of the receipt's header in the log of that tip. Nothing here is
 * believed: `CoreReceipts.checkInChain` judges it, and which node it came from does not matter.
 */
import { asChainIndex, type BlockHash, type ChainIndex } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { readRecords, type RecordContainer } from "../protocol/http/recordContainer.ts";
import type { ReceiptAnchor } from "./coreReceipts.ts";
import type { EvidencePort } from "./evidencePort.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";

/** A node as far as an anchor needs it: its evidence, its tip, and which blocks stand where. */
export interface AnchorPort extends EvidencePort {
  tip(signal: AbortSignal): Promise<{ readonly sink: BlockHash; readonly chainIndex: ChainIndex }>;
  start(
    index: ChainIndex,
    signal: AbortSignal,
  ): Promise<{ readonly hash: BlockHash; readonly chainIndex: ChainIndex }>;
  blocks(after: BlockHash, limit: number, signal: AbortSignal): Promise<RecordContainer>;
}

/**
 * Asks a node for the anchor of a header. Rejects with `evidence/not-shown` where nothing stands above the header yet, with
 * `chain/unknown-block` where the node's chain lacks it, and with `wallet/node-unreachable`.
 */
export async function findAnchor(
  node: AnchorPort,
  header: BlockHash,
  signal: AbortSignal,
): Promise<ReceiptAnchor> {
  const { chainIndex, sink } = await node.tip(signal);
  const state = await stateBelow(node, chainIndex, signal);
  try {
    return await anchorAt(node, { header, state: state ?? header, sink }, signal);
  } catch (error) {
    if (!SvcError.is(error, "evidence/not-member") || state === null) throw error;
    // The header is younger than that state: its own has it.
    return anchorAt(node, { header, state: header, sink }, signal);
  }
}

/** A block far enough below the tip whose state the node still has; null where it has none. */
async function stateBelow(
  node: AnchorPort,
  tip: ChainIndex,
  signal: AbortSignal,
): Promise<BlockHash | null> {
  for (let depth: bigint = LIGHT_LIMITS.receiptTipBlocks; depth > 0n; depth /= 8n) {
    if (depth >= tip) continue;
    const start = await node.start(asChainIndex(tip - depth), signal);
    if (start.chainIndex === tip - depth) return start.hash;
  }
  return null;
}

type Places = {
  readonly header: BlockHash;
  /** The block whose state is opened. */
  readonly state: BlockHash;
  readonly sink: BlockHash;
};

async function anchorAt(
  node: AnchorPort,
  { header, state, sink }: Places,
  signal: AbortSignal,
): Promise<ReceiptAnchor> {
  const membership = await node.membership(header, state, signal);
  const [child] = readRecords(await node.blocks(state, 1, signal));
  if (child === undefined) {
    throw new SvcError("evidence/not-shown", { reason: "no block stands above the receipt" });
  }
  const opening = await node.opening(state, "digest", signal);
  const run = await node.run(child.hash, sink, signal);
  return { tip: { opening, run }, membership };
}
