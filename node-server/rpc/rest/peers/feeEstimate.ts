/**
 * What a payment must pay to be in a block soon, from the payments that wait (specification explorer A2, corrections B11).
 *
 * Fees go by bytes: while everything that waits fits one block, the least fee that is relayed is enough. Beyond that a payment
 * must pay more for each gram than those that would fill the blocks before it.
 */
import { walletFee } from "@svc/shared/wallet/state/fee.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { normalizedMass, type MassLimits, type PoolEntry } from "../../../mempool/poolEntry.ts";

type FeeEstimate = RestAnswer<"feeEstimate">;
type FeeBucket = FeeEstimate["priorityBucket"];
type FeePayer = Pick<PoolEntry, "fee" | "computeMass" | "transientMass">;

/** The network as far as estimates go. */
export type BlockRoom = {
  readonly limits: MassLimits;
  /** ms. Between two blocks, as the rules aim at. */
  readonly blockMs: number;
};

/** Sompi per gram: what every node asks for at least, 100,000 for 1,000 grams. */
const LEAST_RATE = 100;
/** What outbids a payment that waits already, sompi per gram. */
const STEP = 1;
/** Blocks within which a payment of the middle bucket is carried. */
const NORMAL_BLOCKS = 10;
const MS_PER_SECOND = 1_000;

/** Estimates. It depends on the pool alone. */
export function feeEstimate(waiting: readonly FeePayer[], room: BlockRoom): FeeEstimate {
  const blocks = ratesByBlock(waiting, room.limits);
  const within = (count: number): FeeBucket =>
    bucketOf(rateWithin(blocks, count), Math.min(count, blocks.length + 1), room);
  return {
    priorityBucket: within(1),
    normalBuckets: [within(NORMAL_BLOCKS)],
    lowBuckets: [bucketOf(LEAST_RATE, blocks.length + 1, room)],
    feeByActions: Object.fromEntries(
      Array.from({ length: WALLET_LIMITS.walletActionsMax }, (_, index) => [
        String(index + 1),
        String(walletFee(index + 1)),
      ]),
    ),
  };
}

/** The lowest rate in each block that what waits would fill, best payers first; a last block with room left is none. */
function ratesByBlock(waiting: readonly FeePayer[], limits: MassLimits): readonly number[] {
  const payers = waiting.map((entry) => {
    const grams = normalizedMass(entry, limits);
    return { grams, rate: Number(entry.fee) / Number(grams) };
  });
  const all = payers.reduce((sum, { grams }) => sum + grams, 0n);
  if (all <= limits.compute) return [];
  const rates: number[] = [];
  let filled = 0n;
  for (const { grams, rate } of payers.toSorted((a, b) => b.rate - a.rate)) {
    if (filled + grams > limits.compute) {
      rates.push(rate);
      filled = 0n;
    }
    filled += grams;
  }
  return rates;
}

function rateWithin(blocks: readonly number[], count: number): number {
  const outbid = blocks[count - 1];
  return outbid === undefined ? LEAST_RATE : Math.max(LEAST_RATE, outbid + STEP);
}

function bucketOf(feerate: number, blocks: number, { blockMs }: BlockRoom): FeeBucket {
  const seconds = (blocks * blockMs) / MS_PER_SECOND;
  return { feerate, estimatedSeconds: seconds, estimateSeconds: seconds };
}
