/**
 * Merkle proofs of lanes, as message 61 carries them with every so many lanes (specification network 1.1; consensus 12, step
 * 6). A proof shows that a lane is in the tree over all lanes. This node compares the root instead; the reference does not take
 * lanes without proofs.
 *
 * A proof is the siblings on the way from the top to the lowest subtree that holds the lane alone, without those that are
 * empty: a bit for each depth says which are, the lowest bit of a byte first, and bits below the end of the way are set.
 */
import { blake3 } from "@noble/hashes/blake3.js";
import { ByteReader, compareBytes, concatBytes } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";

const HASH_LENGTH = 32;
/** Key, tip and blue score. */
const LANE_LENGTH = 2 * HASH_LENGTH + 8;
/** Bits of a key. */
const DEPTH = 256;
/** The way ended at a subtree with this lane alone; its depth follows. */
const ENDS_ALONE = 1;
/** The way went down to the leaf. */
const ENDS_AT_LEAF = 0;
const NO_PROOF = new Uint8Array();

type Hasher = (...parts: readonly Uint8Array[]) => Uint8Array;

const activeLeaf = hasher("SeqCommitActiveLeaf");
const activeNode = hasher("SeqCommitActiveNode");
const collapsedNode = hasher("SeqCommitActiveCollapsedNode");

/** Roots of subtrees without lanes, by their height. */
const EMPTY_ROOTS: readonly Uint8Array[] = emptyRoots();

type Lane = { readonly key: Uint8Array; readonly leaf: Uint8Array };
/** Lanes of a subtree: from one up to another, which is not among them. */
type Range = { readonly from: number; readonly to: number; readonly depth: number };

/** Makes the proofs of a set of lanes. */
export class LaneProofs {
  readonly #lanes: readonly Lane[];
  /** Roots of subtrees by depth and first lane. */
  readonly #roots = new Map<string, Uint8Array>();

  /**
   * `lanes` is a raw page of any length. Throws `codec/not-canonical` unless keys ascend, `codec/count-too-large` above
   * `FORM_BOUNDS.provedLanes`.
   */
  constructor(lanes: Uint8Array) {
    const reader = new ByteReader(lanes);
    const rows = Math.ceil(lanes.length / LANE_LENGTH);
    const length = reader.checkCount(rows, FORM_BOUNDS.provedLanes, LANE_LENGTH);
    this.#lanes = Array.from({ length }, () => {
      const key = reader.take(HASH_LENGTH);
      return { key, leaf: activeLeaf(reader.take(HASH_LENGTH + 8)) };
    });
    for (const [at, { key }] of this.#lanes.entries()) {
      const before = this.#lanes[at - 1];
      if (before !== undefined && compareBytes(before.key, key) >= 0) {
        throw new SvcError("codec/not-canonical", { what: "lanes" });
      }
    }
  }

  /** The root over all lanes. */
  root(): Uint8Array {
    return this.#rootOf({ from: 0, to: this.#lanes.length, depth: 0 });
  }

  /** The proof of a lane by its place; empty for one that is not there. */
  proofOf(place: number): Uint8Array {
    const lane = this.#lanes[place];
    if (lane === undefined) return NO_PROOF;
    const empty = new Uint8Array(DEPTH / 8).fill(0xff);
    const siblings: Uint8Array[] = [];
    let range: Range = { from: 0, to: this.#lanes.length, depth: 0 };
    while (range.to - range.from > 1) {
      const { depth } = range;
      const [left, right] = this.#sides(range);
      const [own, sibling] = bitAt(lane.key, depth) ? [right, left] : [left, right];
      if (sibling.to > sibling.from) {
        const byte = Math.floor(depth / 8);
        empty[byte] = (empty[byte] ?? 0) & ~(1 << (depth % 8));
        siblings.push(this.#rootOf(sibling));
      }
      range = own;
    }
    const end = range.depth < DEPTH ? [ENDS_ALONE, range.depth] : [ENDS_AT_LEAF];
    return concatBytes(empty, Uint8Array.from(end), ...siblings);
  }

  #rootOf(range: Range): Uint8Array {
    const { from, to, depth } = range;
    const lane = this.#lanes[from];
    if (to === from || lane === undefined) return EMPTY_ROOTS[DEPTH - depth] ?? NO_PROOF;
    if (to - from === 1) return collapsedNode(lane.key, lane.leaf);
    const name = `${depth} ${from}`;
    const known = this.#roots.get(name);
    if (known !== undefined) return known;
    const [left, right] = this.#sides(range);
    const root = activeNode(this.#rootOf(left), this.#rootOf(right));
    this.#roots.set(name, root);
    return root;
  }

  /** Keys ascend, so those with the bit set are behind the others. */
  #sides({ from, to, depth }: Range): [left: Range, right: Range] {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (bitAt(this.#lanes[middle]?.key ?? NO_PROOF, depth)) high = middle;
      else low = middle + 1;
    }
    return [
      { from, to: low, depth: depth + 1 },
      { from: low, to, depth: depth + 1 },
    ];
  }
}

/** The highest bit of the first byte comes first. */
function bitAt(key: Uint8Array, depth: number): boolean {
  return (((key[Math.floor(depth / 8)] ?? 0) >> (7 - (depth % 8))) & 1) === 1;
}

function hasher(name: string): Hasher {
  const key = new Uint8Array(HASH_LENGTH);
  key.set(new TextEncoder().encode(name));
  return (...parts) => blake3(concatBytes(...parts), { key });
}

function emptyRoots(): Uint8Array[] {
  const roots: Uint8Array[] = [new Uint8Array(HASH_LENGTH)];
  for (let root = roots[0]; root !== undefined && roots.length <= DEPTH;) {
    root = activeNode(root, root);
    roots.push(root);
  }
  return roots;
}
