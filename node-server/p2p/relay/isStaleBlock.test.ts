import { expect, it } from "vitest";
import { asBlueScore } from "@svc/shared/base/brand.ts";
import { isStaleBlock } from "./isStaleBlock.ts";

const OWN_SCORE = 200;
const MERGE_DEPTH = 100;

const isStale = (blueScore: bigint, work: readonly number[]): Promise<boolean> =>
  isStaleBlock(
    {
      tip: async () => ({ sinkBlueWork: OWN_SCORE.toString(16) }),
      head: { head: { sinkBlueScore: asBlueScore(BigInt(OWN_SCORE)) } },
      mergeDepth: MERGE_DEPTH,
    },
    { blueScore, blueWork: Uint8Array.from(work) },
  );

it("a block within the merge depth is not stale, whatever its work", async () => {
  expect(await isStale(101n, [])).toBe(false);
  expect(await isStale(100n, [])).toBe(true);
});

it("a chain with fewer blocks and more work is not stale", async () => {
  // The own chain has 200 of both.
  expect(await isStale(50n, [200])).toBe(true);
  expect(await isStale(50n, [201])).toBe(false);
});
