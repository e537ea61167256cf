/** Estimates of fees: the least one while there is room, and what outbids others where there is none. */
import { describe, expect, it } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { feeEstimate } from "./feeEstimate.ts";

const ROOM = { limits: { compute: 500_000n, transient: 1_000_000n }, blockMs: 1_000 };

/** A payment of 2 actions, of which 27 fill a block, that pays so many sompi for each gram. */
function payment(rate: number) {
  const transientMass = 36_972n;
  return { fee: asSompi(BigInt(rate) * (transientMass / 2n)), computeMass: 5_000n, transientMass };
}

const payments = (count: number, rate: number) =>
  Array.from({ length: count }, () => payment(rate));
const bucket = (feerate: number, seconds: number) => ({
  feerate,
  estimatedSeconds: seconds,
  estimateSeconds: seconds,
});

describe("what a payment must pay", () => {
  it.each([0, 1, 27])("is the least fee while %d payments wait", (count) => {
    expect(feeEstimate(payments(count, 100), ROOM)).toMatchObject({
      priorityBucket: bucket(100, 1),
      normalBuckets: [bucket(100, 1)],
      lowBuckets: [bucket(100, 1)],
    });
  });

  it("is more than the block's worst payer for the next block, where that is full", () => {
    const waiting = [...payments(40, 300), ...payments(40, 200), ...payments(40, 100)];
    expect(feeEstimate(waiting, ROOM)).toMatchObject({
      priorityBucket: bucket(301, 1),
      // 120 payments fill four blocks and a part of a fifth.
      normalBuckets: [bucket(100, 5)],
      lowBuckets: [bucket(100, 5)],
    });
  });

  it("is more within ten blocks only where more than ten blocks wait", () => {
    const waiting = payments(27 * 11 + 1, 150);
    expect(feeEstimate(waiting, ROOM)).toMatchObject({
      priorityBucket: bucket(151, 1),
      normalBuckets: [bucket(151, 10)],
      lowBuckets: [bucket(100, 12)],
    });
  });
});

it("fees by actions are those that wallets pay, up to the largest payment", () => {
  const { feeByActions } = feeEstimate([], ROOM);
  expect(Object.keys(feeByActions)).toHaveLength(38);
  expect(feeByActions).toMatchObject({ "1": "1855400", "2": "1855400", "38": "24578600" });
});
