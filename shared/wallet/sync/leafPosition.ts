/** Looks for a leaf in a wallet's own note tree. Where somebody else's note stands, no scan tells. */
import { asLeafPosition, type LeafPosition } from "../../base/brand.ts";
import { leafPlace, type LeafRange } from "../../light/leafPlace.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { NoteTree } from "../state/noteTree.ts";

const LEAF_BYTES = 32;

/**
 * The first position of a commitment within a range; null for none. The tree holds all of the range, which begins at or after the
 * wallet's birthday: throws `shielded/bad-position` where it does not.
 */
export function leafPosition(
  tree: Pick<NoteTree, "subtree">,
  leaf: Uint8Array,
  { from, to }: LeafRange,
): LeafPosition | null {
  let first = from;
  while (first < to) {
    const height = heightAt(first, to - first);
    const count = 2 ** height;
    const leaves = tree.subtree(first, height).subarray(0, count * LEAF_BYTES);
    const place = leafPlace(leaves, leaf);
    if (place >= 0) return asLeafPosition(first + BigInt(place));
    first += BigInt(count);
  }
  return null;
}

/** The height of the largest complete subtree that begins at a leaf and has no more than `count` leaves, within the limit. */
function heightAt(first: bigint, count: bigint): number {
  let height = 0;
  let twice = 2n;
  while (height < WALLET_LIMITS.leafSearchHeight && first % twice === 0n && twice <= count) {
    height += 1;
    twice *= 2n;
  }
  return height;
}
