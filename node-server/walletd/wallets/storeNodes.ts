/** Stores the inner nodes of the shared note tree beside its leaves, so that the next start reads them instead of hashing. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import { CHUNK_HEIGHT } from "../store/treeTable.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** The store of the tree. */
export type TreeStore = Pick<WalletStore, "tree" | "commit">;

/**
 * Stores the nodes of some chunks in one commit. False where none is left, and where the tree has changes that are not committed yet:
 * these come with a later call. Throws the store's errors.
 */
export function storeNodes(store: TreeStore, tree: NoteTree): boolean {
  const chunks = store.tree.bareChunks(WALLETD_LIMITS.treeChunksAtOnce);
  const hasAll = store.commit((batch) =>
    chunks.every((chunk) => {
      const subtree = subtreeOf(tree, chunk);
      return subtree !== null && store.tree.putNodes(batch, chunk, subtree);
    }),
  );
  return hasAll && chunks.length > 0;
}

/** Stores the nodes of all chunks, one commit after the other. Throws the store's errors. */
export function storeAllNodes(store: TreeStore, tree: NoteTree): void {
  while (storeNodes(store, tree));
}

/** Leaves and inner nodes of a chunk; null for one that the tree does not have, since a change of it is not committed yet. */
function subtreeOf(tree: NoteTree, chunk: bigint): Uint8Array | null {
  try {
    return tree.subtree(chunk << BigInt(CHUNK_HEIGHT), CHUNK_HEIGHT);
  } catch (thrown) {
    if (SvcError.is(thrown, "shielded/bad-position")) return null;
    throw thrown;
  }
}
