/** A block header as plain values (specification consensus 3). Its hash is the core's to compute. */
import type { BlockHash, BlueScore, DaaScore, Hash32, TimestampMs } from "../base/brand.ts";

/** A header. */
export type Header = {
  readonly version: number;
  /** Parents at every level, level 0 (the direct parents) first; none for genesis. */
  readonly parentsByLevel: readonly (readonly BlockHash[])[];
  readonly hashMerkleRoot: Hash32;
  readonly acceptedIdMerkleRoot: Hash32;
  readonly utxoCommitment: Hash32;
  readonly timestamp: TimestampMs;
  /** Compact difficulty target. */
  readonly bits: number;
  readonly nonce: bigint;
  readonly daaScore: DaaScore;
  /** Work of all blue blocks in the past, below 2¹⁹². */
  readonly blueWork: bigint;
  readonly blueScore: BlueScore;
  readonly pruningPoint: BlockHash;
};

/** Bytes of blue work in raw form. */
export const BLUE_WORK_LENGTH = 24;
