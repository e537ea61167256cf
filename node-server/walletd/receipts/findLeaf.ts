/** Looks for a leaf in the stored note tree. Where somebody else's note stands, no wallet keeps. */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { leafPlace, type LeafRange } from "@svc/shared/light/leafPlace.ts";
import type { TreeTable } from "../store/treeTable.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/**
 * The first position of a commitment within a range; null for none. After every 64 chunks other work has its turn. Rejects with
 * `run/aborted`, `store/corrupt`.
 */
export async function findLeaf(
  tree: Pick<TreeTable, "chunksBetween">,
  leaf: Uint8Array,
  { from, to }: LeafRange,
  signal: AbortSignal,
): Promise<bigint | null> {
  let chunks = 0;
  for (const { first, leaves } of tree.chunksBetween(from, to)) {
    const place = leafPlace(leaves, leaf);
    if (place >= 0) {
      const position = first + BigInt(place);
      return position < to ? position : null;
    }
    chunks += 1;
    if (chunks % WALLETD_LIMITS.receiptChunksAtOnce !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    throwIfAborted(signal);
  }
  return null;
}
