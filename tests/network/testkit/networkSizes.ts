/** Test networks and chains of the network suite, at the reduced and the full size. */
import { readFileSync } from "node:fs";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";
import type { ChainWish } from "./chainMaker.ts";

/** ms. Bound of what is waited for from a node. */
export const PATIENCE_MS = HANG_MS;

/** JSON of the prune profile. */
export function pruneNetwork(): string {
  return readFileSync(new URL("../../profiles/prune.json", import.meta.url), "utf8");
}

/** JSON of the prune profile with depths that a short chain passes several times. */
export function shallowNetwork(): string {
  const profile: Record<string, unknown> = JSON.parse(pruneNetwork());
  return JSON.stringify({
    ...profile,
    ghostdagK: 5,
    mergesetSizeLimit: 10,
    mergeDepth: 20,
    finalityDepth: 100,
    pruningDepth: 360,
    pruningProofM: 20,
    maxShieldedAnchorAge: 80,
    difficultyWindowSize: 60,
    minDifficultyWindowSize: 12,
  });
}

/** A chain below the pruning depth, whose blocks all nodes have. */
export const WHOLE: ChainWish = {
  profile: pruneNetwork(),
  count: 3_000,
  payments: [500, 1_500, 2_500],
  waiting: 0,
};

/** A chain whose pruning point has moved several times, and moves again after a hundred blocks. */
export const SHALLOW: ChainWish = {
  profile: shallowNetwork(),
  count: 1_200,
  payments: [300, 700, 900, 1_150],
  waiting: 0,
};

/** A chain whose pruning point has moved several times. */
export const PRUNED: ChainWish = IS_FULL
  ? {
      profile: pruneNetwork(),
      count: 50_000,
      payments: [10_000, 20_000, 30_000, 40_000, 44_000, 46_000, 48_000, 49_900],
      waiting: 0,
    }
  : SHALLOW;

/** A short chain with payments that no block carries yet. */
export const SHORT: ChainWish = {
  profile: pruneNetwork(),
  count: 100,
  payments: [],
  waiting: IS_FULL ? 8 : 3,
};

/** JSON of a network as shallow that judges work: 16 hashes a block. */
export function workedNetwork(): string {
  return readFileSync(new URL("../../profiles/worked.json", import.meta.url), "utf8");
}

/** A chain of real work whose pruning point has moved several times, and one of another miner with about half of the work. */
export const WORKED: ChainWish = {
  profile: workedNetwork(),
  count: 1_200,
  payments: [],
  waiting: 0,
};
export const WORKED_LESS: ChainWish = { ...WORKED, count: 650, isOther: true };
