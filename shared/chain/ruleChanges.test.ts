import { expect, test } from "vitest";
import { asDaaScore } from "../base/brand.ts";
import { ruleChangesAhead } from "./ruleChanges.ts";

const activations = {
  toccata: 0,
  mergedMining: null,
  multiProducerAnchors: 757_000,
  devFeeAccrual: 757_000,
  coinbaseSeedByBlockHash: null,
  securityFork: 800_000,
  devFeeEnd: 800_001,
  commitmentBan: 0,
  boundMergeMining: 0,
};
const ahead = (daaScore: bigint) =>
  ruleChangesAhead({ activations }, asDaaScore(daaScore)).map(
    ({ names, daaScore: at, blocksLeft }) => [names.join(), at, blocksLeft],
  );

test("changes are told of from 100,000 blocks before, the nearest first, until they happen", () => {
  expect(ahead(656_999n)).toEqual([]);
  expect(ahead(657_000n)).toEqual([["multiProducerAnchors,devFeeAccrual", 757_000n, 100_000n]]);
  expect(ahead(756_999n)).toEqual([
    ["multiProducerAnchors,devFeeAccrual", 757_000n, 1n],
    ["securityFork", 800_000n, 43_001n],
    ["devFeeEnd", 800_001n, 43_002n],
  ]);
  expect(ahead(800_000n)).toEqual([["devFeeEnd", 800_001n, 1n]]);
  expect(ahead(800_001n)).toEqual([]);
});
