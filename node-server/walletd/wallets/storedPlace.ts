/** Where the lane at the tip stood when the last program ended: the remembered blocks, and the note tree after them. */
import {
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
  type BlockHash,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { LaneTree } from "./laneTree.ts";
import type { LanePlace } from "./scanLane.ts";

/** The stored place; genesis, without a tree, for a new folder. Throws the store's errors, and the tree's for leaves that are none. */
export function storedPlace(
  store: WalletStore,
  makeTree: (bytes: Uint8Array) => NoteTree,
  genesis: BlockHash,
): LanePlace {
  const head = store.tree.head();
  const view = store.view.blocks();
  const tree = treeOf(store, makeTree);
  if (head === null || tree === null || view.length === 0) {
    return { view: [genesisBlock(genesis)], tree: null };
  }
  const start = { bytes: head.base, base: head.baseSize };
  return { view, tree: new LaneTree(tree, start, false) };
}

/** The stored note tree, of which only leaves without inner nodes are hashed; null for none. */
export function treeOf<T extends NoteTree>(
  { tree: table }: Pick<WalletStore, "tree">,
  makeTree: (bytes: Uint8Array) => T,
): T | null {
  const head = table.head();
  if (head === null) return null;
  const tree = makeTree(head.base);
  for (const { leaves, nodes } of table.chunks()) {
    if (nodes === null) tree.append(leaves);
    else tree.appendSubtree(concatBytes(leaves, nodes));
  }
  return tree;
}

function genesisBlock(hash: BlockHash): ChainBlock {
  return {
    hash,
    chainIndex: asChainIndex(0n),
    blueScore: asBlueScore(0n),
    daaScore: asDaaScore(0n),
    timestamp: asTimestampMs(0n),
    leafEnd: asLeafPosition(0n),
  };
}
