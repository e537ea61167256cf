/** Where a commitment stands among leaves of the note tree. */

const LEAF_BYTES = 32;

/** Positions of leaves, the second one excluded. */
export type LeafRange = { readonly from: bigint; readonly to: bigint };

/** The number of the first leaf with these 32 bytes among `leaves` (n × 32 bytes); -1 for none. */
export function leafPlace(leaves: Uint8Array, leaf: Uint8Array): number {
  const [first] = leaf;
  for (let at = 0; at < leaves.length; at += LEAF_BYTES) {
    if (leaves[at] === first && isAt(leaves, at, leaf)) return at / LEAF_BYTES;
  }
  return -1;
}

function isAt(leaves: Uint8Array, at: number, leaf: Uint8Array): boolean {
  for (let offset = 1; offset < LEAF_BYTES; offset += 1) {
    if (leaves[at + offset] !== leaf[offset]) return false;
  }
  return true;
}
