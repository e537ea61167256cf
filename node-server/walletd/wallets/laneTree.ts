/** The note tree of a lane: what it began with, and for one that is still growing towards the shared tree its leaves. */
import type { LeafPosition } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";

const LEAF_BYTES = 32;

/** What a tree is made from. */
export type TreeStart = {
  /** The form that a `NoteTree` is made from, before any leaf is appended. */
  readonly bytes: Uint8Array;
  /** Number of leaves in it: of those nothing is known but their root. */
  readonly base: LeafPosition;
};

/** A tree that can be stored from its beginning on. */
export class LaneTree {
  readonly tree: NoteTree;
  readonly start: TreeStart;
  /** Leaves since the start; null where they are stored already. */
  #leaves: Uint8Array[] | null;

  /** `keepsLeaves` while nobody else stores them. */
  constructor(tree: NoteTree, start: TreeStart, keepsLeaves: boolean) {
    this.tree = tree;
    this.start = start;
    this.#leaves = keepsLeaves ? [] : null;
  }

  /** Number of leaves below which the tree knows none. */
  get base(): LeafPosition {
    return this.start.base;
  }

  /** Appends n × 32 bytes of commitments. Throws as the tree does, and is unchanged then. */
  append(cmx: Uint8Array): void {
    this.tree.append(cmx);
    this.#leaves?.push(cmx);
  }

  /** Forgets the leaves from this position on. */
  truncate(size: bigint): void {
    this.tree.truncate(size);
    if (this.#leaves === null) return;
    const all = concatBytes(...this.#leaves);
    this.#leaves = [all.slice(0, Number(size - this.base) * LEAF_BYTES)];
  }

  /** All leaves since the start, as long as nobody else stores them. */
  unstoredLeaves(): Uint8Array {
    return concatBytes(...(this.#leaves ?? []));
  }

  /** Keeps the leaves no longer. */
  leavesAreStored(): void {
    this.#leaves = null;
  }
}
