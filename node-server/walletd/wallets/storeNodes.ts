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
  const { treeChunksAtOnce: limit, treeChunkLooks: looks } = WALLETD_LIMITS;
  const { numbers, isWhole } = store.tree.bareChunks({ limit, looks });
  if (numbers.length === 0) return !isWhole;
  return store.commit((batch) =>
    numbers.every((chunk) => {
      const subtree = subtreeOf(tree, chunk);
      return subtree !== null && store.tree.putNodes(batch, chunk, subtree);
    }),
  );
}

/** Stores the nodes of all chunks, one commit after the other; between two of them signals are heard. Rejects with the store's errors. */
export async function storeAllNodes(store: TreeStore, tree: NoteTree): Promise<void> {
  while (storeNodes(store, tree)) await new Promise((resolve) => setImmediate(resolve));
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
