/** Looks for a leaf in the stored note tree. Where somebody else's note stands, no wallet keeps. */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { TreeTable } from "../store/treeTable.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

const LEAF_BYTES = 32;

/** Positions of leaves, the second one excluded. */
export type LeafRange = { readonly from: bigint; readonly to: bigint };

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
    const place = placeOf(leaves, leaf);
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

/** The number of a leaf; -1 for none. */
function placeOf(leaves: Uint8Array, leaf: Uint8Array): number {
  const bytes = Buffer.from(leaves.buffer, leaves.byteOffset, leaves.length);
  let at = bytes.indexOf(leaf);
  while (at >= 0 && at % LEAF_BYTES !== 0) at = bytes.indexOf(leaf, at + 1);
  return at < 0 ? -1 : at / LEAF_BYTES;
}
