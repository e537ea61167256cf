/** Stale blocks: announced blocks that no later block can merge any more. */
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { Head } from "../head/chainHead.ts";
import { claimedWork } from "../head/claimedWork.ts";

/** Dependencies of the check. */
export type StaleParts = {
  readonly tip: () => Promise<Pick<TipFacts, "sinkBlueWork">>;
  readonly head: { readonly head: Pick<Head, "sinkBlueScore"> };
  /** Blue scores that a block may lie below one that merges it (specification consensus 7.8). */
  readonly mergeDepth: number;
};

/**
 * Whether no block to come on this node's chain can merge a block, and its own chain claims no more work: after a partition
 * the chain with fewer blocks may be the heavier one. Rejects as `tip` does.
 */
export async function isStaleBlock(
  { tip, head, mergeDepth }: StaleParts,
  header: Pick<P2pBlockHeader, "blueScore" | "blueWork">,
): Promise<boolean> {
  if (header.blueScore + BigInt(mergeDepth) > head.head.sinkBlueScore) return false;
  const { sinkBlueWork } = await tip();
  return claimedWork(header) <= BigInt(`0x${sinkBlueWork}`);
}
