/** Stores the inner nodes of the shared note tree beside its leaves, so that the next start reads them instead of hashing. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import { CHUNK_HEIGHT } from "../store/treeTable.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** Adds nodes to the stored tree, chunk by chunk. */
export class TreeNodes {
  readonly #store: Pick<WalletStore, "tree" | "commit">;
  #next = 0n;

  constructor(store: Pick<WalletStore, "tree" | "commit">) {
    this.#store = store;
  }

  /**
   * Stores the nodes of some chunks in one commit; true when there may be more. A tree whose leaves are not stored yet, or no longer,
   * is left for later. Throws the store's errors.
   */
  write(tree: NoteTree): boolean {
    const { tree: table } = this.#store;
    const found: bigint[] = [];
    let number = table.nextBare(this.#next);
    while (number !== null && found.length < WALLETD_LIMITS.treeChunksAtOnce) {
      found.push(number);
      number = table.nextBare(number + 1n);
    }
    const hasAll = this.#store.commit((batch) =>
      found.every((chunk) => {
        const subtree = subtreeOf(tree, chunk);
        return subtree !== null && table.putNodes(batch, chunk, subtree);
      }),
    );
    if (hasAll) this.#next = (found.at(-1) ?? this.#next - 1n) + 1n;
    return hasAll && number !== null;
  }

  /** Stores what is left. Throws the store's errors. */
  finish(tree: NoteTree): void {
    while (this.write(tree));
  }
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
