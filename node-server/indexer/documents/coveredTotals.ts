/** Totals of the part of the chain that the index covers: the rows of chain blocks count from where the index once began. */
import type { AnswerView } from "./answerView.ts";

/** Counts of an index. */
export type CoveredTotals = {
  readonly chainBlocks: bigint;
  /** Payments that chain blocks above the first one applied. */
  readonly applied: bigint;
  readonly dropped: bigint;
  readonly blocks: bigint;
  /** At least so many: one that an older block carried, too, may be left out. */
  readonly transactions: bigint;
  readonly payments: bigint;
};

const NOTHING: CoveredTotals = {
  ...{ chainBlocks: 0n, applied: 0n, dropped: 0n },
  ...{ blocks: 0n, transactions: 0n, payments: 0n },
};

/** Counts them. */
export function coveredTotals({ first, head }: Pick<AnswerView, "first" | "head">): CoveredTotals {
  if (first === null || head === null) return NOTHING;
  const [from, to] = [first.totals, head.totals];
  // The first chain block itself, and what it merged where that is still there.
  const own = BigInt(1 + first.merged.length);
  return {
    chainBlocks: to.chainBlocks - from.chainBlocks + 1n,
    applied: to.applied - from.applied,
    dropped: to.dropped - from.dropped,
    blocks: to.blocks - from.blocks + own,
    transactions: to.transactions - from.transactions + own,
    payments: to.payments - from.payments,
  };
}
