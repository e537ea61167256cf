/** Row of a bin: what the blocks of some seconds have together. It goes away when it has nothing. */
import { bytesCodec, readU128, writeU128 } from "./rowBytes.ts";

/** Seconds of the bins, each size of its own: 15 seconds, a minute, an hour. */
export const BIN_SECONDS = [15, 60, 3_600] as const;
/** Seconds of a bin. */
export type BinSeconds = (typeof BIN_SECONDS)[number];

/** Parts of one that sums of difficulties are kept in: whole numbers, so that what is taken away leaves no remainder. */
const DIFFICULTY_PARTS = 1e9;

/** The counts of a bin. Blocks count by their own time, what was applied by the time of the chain block that did. */
export type BinRow = {
  readonly blocks: number;
  readonly reds: number;
  readonly mergeMined: number;
  /** Payments that the blocks carry. */
  readonly carried: number;
  readonly applied: number;
  /** Actions of applied payments. */
  readonly actions: number;
  /** Sompi of applied payments. */
  readonly fees: bigint;
  /** Sum over the blocks, in parts of one. */
  readonly difficulty: bigint;
};

/** A bin with nothing. */
export const EMPTY_BIN: BinRow = {
  blocks: 0,
  reds: 0,
  mergeMined: 0,
  carried: 0,
  applied: 0,
  actions: 0,
  fees: 0n,
  difficulty: 0n,
};

/** A difficulty in parts of one. */
export function difficultyParts(difficulty: number): bigint {
  return BigInt(Math.round(difficulty * DIFFICULTY_PARTS));
}

/** The mean difficulty of the blocks of a bin; 0 without any. For display only. */
export function meanDifficulty({ blocks, difficulty }: BinRow): number {
  return blocks === 0 ? 0 : Number(difficulty) / DIFFICULTY_PARTS / blocks;
}

/** Adds `sign` times one bin to another. */
export function addBins(bin: BinRow, more: BinRow, sign: 1 | -1 = 1): BinRow {
  return {
    blocks: bin.blocks + sign * more.blocks,
    reds: bin.reds + sign * more.reds,
    mergeMined: bin.mergeMined + sign * more.mergeMined,
    carried: bin.carried + sign * more.carried,
    applied: bin.applied + sign * more.applied,
    actions: bin.actions + sign * more.actions,
    fees: bin.fees + BigInt(sign) * more.fees,
    difficulty: bin.difficulty + BigInt(sign) * more.difficulty,
  };
}

/** Whether a bin has nothing. */
export function isEmptyBin(bin: BinRow): boolean {
  return bin.blocks === 0 && bin.applied === 0;
}

/** The stored form. */
export const BIN_CODEC = bytesCodec<BinRow>(
  (writer, bin) => {
    writer.u32(bin.blocks).u32(bin.reds).u32(bin.mergeMined);
    writer.u32(bin.carried).u32(bin.applied).u32(bin.actions).u64(bin.fees);
    writeU128(writer, bin.difficulty);
  },
  (reader) => ({
    blocks: reader.u32(),
    reds: reader.u32(),
    mergeMined: reader.u32(),
    carried: reader.u32(),
    applied: reader.u32(),
    actions: reader.u32(),
    fees: reader.u64(),
    difficulty: readU128(reader),
  }),
);
