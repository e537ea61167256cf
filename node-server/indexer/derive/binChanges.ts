/** Collects what a chain block adds to bins, or takes from them, so that each bin and each rank is written once. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import {
  addBins,
  BIN_SECONDS,
  difficultyParts,
  EMPTY_BIN,
  type BinRow,
  type BinSeconds,
} from "../tables/binRow.ts";
import type { BlockRow } from "../tables/blockRow.ts";
import { binAt, moveRank, putBin, RANKS } from "../tables/derivedTables.ts";

const MS = 1_000n;
const MINUTE_S: BinSeconds = 60;

/** What a block gives to the bin of its time. */
export function binOfBlock(row: BlockRow): BinRow {
  return {
    ...EMPTY_BIN,
    blocks: 1,
    reds: row.color === "red" ? 1 : 0,
    mergeMined: row.work === "merge-mined" ? 1 : 0,
    carried: Math.max(0, row.transactions.length - 1),
    difficulty: difficultyParts(row.difficulty),
  };
}

/** Sums by 15 seconds; the longer bins follow from them. */
export class BinChanges {
  readonly #sign: 1 | -1;
  readonly #changes = new Map<bigint, BinRow>();

  /** `sign`: 1 adds to the bins, -1 takes away. */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** Counts something at a time. */
  count(timestamp: TimestampMs, bin: BinRow): void {
    const [shortest] = BIN_SECONDS;
    const number = timestamp / (BigInt(shortest) * MS);
    this.#changes.set(number, addBins(this.#changes.get(number) ?? EMPTY_BIN, bin));
  }

  /** Writes the bins of every size. */
  write(batch: StoreBatch): void {
    const [shortest] = BIN_SECONDS;
    for (const seconds of BIN_SECONDS) {
      const changes = new Map<bigint, BinRow>();
      for (const [short, bin] of this.#changes) {
        const number = (short * BigInt(shortest)) / BigInt(seconds);
        changes.set(number, addBins(changes.get(number) ?? EMPTY_BIN, bin));
      }
      for (const [number, change] of changes) this.#writeOne(batch, seconds, { number, change });
    }
  }

  #writeOne(
    batch: StoreBatch,
    seconds: BinSeconds,
    { number, change }: { readonly number: bigint; readonly change: BinRow },
  ): void {
    const before = binAt(batch, seconds, number);
    const bin = addBins(before, change, this.#sign);
    putBin(batch, seconds, { number, bin });
    if (seconds !== MINUTE_S) return;
    for (const rank of RANKS) {
      moveRank(batch, rank, { minute: number, from: before[rank], to: bin[rank] });
    }
  }
}
