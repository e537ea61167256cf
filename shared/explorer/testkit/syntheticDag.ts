/** Made-up block DAG for tests and measurements: blocks as a network with delay makes them, from a seed alone. */
import type { DagBlock, DagColor } from "../dag/dagBlock.ts";

/** How the blocks come. */
export type SyntheticDagWish = {
  readonly blocks: number;
  /** Most parallel blocks of one moment. */
  readonly width: number;
  /** ms between two moments. */
  readonly stepMs: number;
  /** ms since 1970 of the first one. */
  readonly fromMs: number;
  /** A whole number from 0 to `limit` − 1. */
  readonly below: (limit: number) => number;
};

/** Parents that a block looks back for: those of this many moments before. */
const LATE_MOMENTS = 3;
/** One parallel block in so many is red. */
const RED_IN = 5;

/** A hash whose first eight digits are the number. */
function hashOf(number: number): string {
  return number.toString(16).padStart(8, "0").padEnd(64, "a");
}

/** The blocks in the order in which they were mined, their colours and the chain as they are in the end. */
export function syntheticDag(wish: SyntheticDagWish): readonly DagBlock[] {
  const blocks: DagBlock[] = [];
  /** The newest moments; in each the block of the chain is the first. */
  let moments: (readonly DagBlock[])[] = [];
  let [score, at] = [0, wish.fromMs];
  while (blocks.length < wish.blocks) {
    const left = wish.blocks - blocks.length;
    const width = Math.min(left, 1 + wish.below(wish.width));
    const before = moments.at(-1) ?? [];
    const blues = before.filter(({ color }) => color === "blue").length;
    score += Math.max(1, blues);
    const moment = Array.from({ length: width }, (_, index): DagBlock => {
      const isLate = index > 0 && wish.below(RED_IN) === 0;
      const seen = isLate ? (moments.at(-LATE_MOMENTS) ?? before) : before;
      const color: DagColor = isLate ? "red" : "blue";
      return {
        hash: hashOf(blocks.length + index + 1),
        parents: (isLate ? seen.slice(0, 1) : seen).map(({ hash }) => hash),
        color,
        isChainBlock: index === 0,
        mergedBy: null,
        blueScore: isLate ? (seen[0]?.blueScore ?? 0) + 1 : score,
        daaScore: blocks.length + index,
        timestamp: at + index,
        txCount: 1 + wish.below(3),
        work: wish.below(2) === 0 ? "native" : "merge-mined",
      };
    });
    blocks.push(...moment);
    moments = [...moments, moment].slice(-LATE_MOMENTS);
    at += wish.stepMs;
  }
  return blocks;
}
