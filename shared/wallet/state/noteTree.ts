/** Interface of the note commitment tree as the wallet uses it; the core implements it. */

/** The wallet's copy of the note commitment tree: all leaves from its birthday on. */
export interface NoteTree {
  /** Appends n × 32 bytes of commitments. */
  append(cmx: Uint8Array): void;
  /** All nodes of the complete subtree of 2^height leaves that begins at a leaf: the leaves, then level by level up to its root. */
  subtree(first: bigint, height: number): Uint8Array;
  /** Appends what `subtree` gave, without a hash. */
  appendSubtree(nodes: Uint8Array): void;
  /** Forgets the leaves from this position on. */
  truncate(size: bigint): void;
  /** Number of leaves, those before the birthday included. */
  size(): bigint;
  /** Root of the first `size` leaves. */
  root(size: bigint): Uint8Array;
  /** The 32 siblings above a leaf, from the bottom, in the tree of the first `size` leaves. */
  path(position: bigint, size: bigint): Uint8Array;
  /** Everything the constructor needs to make this tree again. */
  toBytes(): Uint8Array;
  /** Gives the memory back; the tree must not be used afterwards. */
  free(): void;
}
