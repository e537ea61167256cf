import { describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore, asChainIndex, asTimestampMs } from "@svc/shared/base/brand.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { depthOf } from "./chainDepth.ts";
import { UNPROVED, type ScanProof } from "./scanProof.ts";

const BITS = 0x1e_7f_ff_00;
/** A quarter of its work. */
const EASY = 0x1f_01_ff_fc;
const NOW = asTimestampMs(1_000_000n);
const WEEK = 604_800_000n;
const known = { bits: BITS, timestamp: NOW };

/** One state below a thousand easy headers, and payments up to block 2 that an older program believed. */
const proof: ScanProof = {
  ...UNPROVED,
  believedTo: asBlueScore(2n),
  steps: [
    {
      hash: asBlockHash("01".repeat(32)),
      chainIndex: asChainIndex(9n),
      blueScore: asBlueScore(9n),
      child: {
        hash: asBlockHash("02".repeat(32)),
        blueScore: asBlueScore(1_009n),
        bits: EASY,
        timestamp: NOW,
      },
      total: workOfBits(EASY) * 1_000n,
    },
  ],
};
const aboveOf = (checkpoint: typeof known | null, hasWork = true, nowMs = NOW) =>
  depthOf(proof, { hasWork, checkpoint }, nowMs).ladder?.steps.map(({ above }) => above);

describe("the depth of a chain", () => {
  it("is told in blocks of the checkpoint's work, however old that is", () => {
    expect(aboveOf(known)).toEqual([0n]);
    expect(aboveOf({ ...known, bits: EASY })).toEqual([1n]);
    expect(aboveOf(known, true, asTimestampMs(NOW + WEEK * 52n))).toEqual([0n]);
  });

  it("is none without a checkpoint, but for what was believed before", () => {
    expect(depthOf(proof, { hasWork: true, checkpoint: null }, NOW)).toEqual({
      tip: 1_009n,
      ladder: { believedTo: 2n, steps: [] },
    });
  });

  it("needs none on a network that asks for no work", () => {
    expect(aboveOf(null, false)).toEqual([2n ** 64n - 1n]);
  });

  it("of a scan that proved nothing has no tip", () => {
    const nothing = { tip: null, ladder: { believedTo: null, steps: [] } };
    expect(depthOf(undefined, { hasWork: true, checkpoint: known }, NOW)).toEqual(nothing);
  });
});
