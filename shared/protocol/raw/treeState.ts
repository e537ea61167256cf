/** Codec of a TreeState, the frontier of the note tree after a block (docs/formats.md 1.4). */
import { asHash32, asLeafPosition, type Hash32, type LeafPosition } from "../../base/brand.ts";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";

/** The frontier of a note tree: what appending leaves needs of it. */
export type TreeState = {
  /** Leaves of the tree. */
  readonly size: LeafPosition;
  /** Last leaf; zero for the empty tree. */
  readonly leaf: Hash32;
  /** Roots of the full subtrees left of the last leaf, the lowest first. */
  readonly ommers: readonly Hash32[];
};

/** Bytes of a hash. */
const HASH_LENGTH = 32;
/** The tree is so high (specification shielded 7), and has at most one ommer on each level. */
const MAX_OMMERS = 32;

/** The TreeState without leaves. */
export const EMPTY_TREE: Uint8Array = new Uint8Array(8 + HASH_LENGTH + 1);

/** Writes a TreeState. Throws `codec/bad-hex`, `codec/number-out-of-range` for more than 255 ommers. */
export function encodeTreeState({ size, leaf, ommers }: TreeState): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u64(size).raw(decodeHex(leaf, HASH_LENGTH)).u8(ommers.length);
  for (const ommer of ommers) writer.raw(decodeHex(ommer, HASH_LENGTH));
  return writer.toBytes();
}

/** Reads a TreeState. Throws `codec/…` for other bytes. */
export function decodeTreeState(bytes: Uint8Array): TreeState {
  const reader = new ByteReader(bytes);
  const size = asLeafPosition(reader.u64());
  const hash = (): Hash32 => asHash32(encodeHex(reader.take(HASH_LENGTH)));
  const leaf = hash();
  const count = reader.checkCount(reader.u8(), MAX_OMMERS, HASH_LENGTH);
  const ommers = Array.from({ length: count }, hash);
  reader.finish();
  return { size, leaf, ommers };
}
