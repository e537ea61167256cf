/** The note tree as a scan fills it: of its base the frontier alone, then every leaf. It can go back as far as the base. */
import { asHash32, asLeafPosition } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { encodeTreeState } from "@svc/shared/protocol/raw/treeState.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";

const HASH_BYTES = 32;
/** Height of the largest subtree that the core hands over. */
const SUBTREE_HEIGHT = 16;

/** Opens the tree at a frontier and appends leaves. Throws `codec/…`, `shielded/…`. */
export function openTree(
  core: Pick<CoreGlue, "NoteTree">,
  frontier: string,
  leaves: Iterable<Uint8Array>,
): NoteTree {
  const tree = new CoreTree(core, decodeHex(frontier));
  for (const some of leaves) if (some.length > 0) tree.append(some);
  return tree;
}

/** The tree of the same leaves that knows those up to `size` by their frontier alone, which comes with it. The old one stays. */
export function rebasedTree(
  core: Pick<CoreGlue, "NoteTree">,
  tree: NoteTree,
  size: bigint,
): { readonly tree: NoteTree; readonly frontier: string } {
  const frontier = frontierAt(tree, size);
  const next = new CoreTree(core, decodeHex(frontier));
  const end = tree.size();
  for (let at = size; at < end;) {
    let height = 0;
    while (height < SUBTREE_HEIGHT && at % (2n << BigInt(height)) === 0n) {
      if (at + (2n << BigInt(height)) > end) break;
      height += 1;
    }
    next.appendSubtree(tree.subtree(at, height));
    at += 1n << BigInt(height);
  }
  return { tree: next, frontier };
}

/** The frontier of the first `size` leaves, as hex. Throws `shielded/bad-position` below the base. */
function frontierAt(tree: NoteTree, size: bigint): string {
  if (size === 0n) {
    return encodeHex(encodeTreeState({ size: asLeafPosition(0n), leaf: ZERO, ommers: [] }));
  }
  const last = size - 1n;
  const path = tree.path(last, size);
  const ommers = Array.from({ length: path.length / HASH_BYTES }, (_, level) => level)
    .filter((level) => ((last >> BigInt(level)) & 1n) === 1n)
    .map((level) =>
      asHash32(encodeHex(path.subarray(level * HASH_BYTES, (level + 1) * HASH_BYTES))),
    );
  const leaf = asHash32(encodeHex(tree.subtree(last, 0)));
  return encodeHex(encodeTreeState({ size: asLeafPosition(size), leaf, ommers }));
}

const ZERO = asHash32("00".repeat(HASH_BYTES));
