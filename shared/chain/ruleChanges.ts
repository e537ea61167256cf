/** Upcoming rule changes (forks): the activations of a profile, seen from a height (specification consensus 1.4). */
import { asDaaScore, type DaaScore } from "../base/brand.ts";
import { CHAIN_LIMITS } from "./chainLimits.ts";
import type { NetworkProfile } from "./profile.ts";

/** Activations that begin at the same height. */
export type RuleChange = {
  /** Names as the profile has them, in its order. */
  readonly names: readonly string[];
  /** DAA score of the first blocks under the new rules. */
  readonly daaScore: DaaScore;
  /** Blocks until then as the DAA score counts them, at least 1. */
  readonly blocksLeft: bigint;
};

/**
 * The changes within `CHAIN_LIMITS.ruleChangeAheadBlocks` after the next block of `daaScore`, the nearest first. A change at
 * `daaScore` itself has happened.
 */
export function ruleChangesAhead(
  { activations }: Pick<NetworkProfile, "activations">,
  daaScore: DaaScore,
): RuleChange[] {
  const namesAt = new Map<bigint, string[]>();
  for (const [name, height] of Object.entries(activations)) {
    if (height === null) continue;
    const left = BigInt(height) - daaScore;
    if (left < 1n || left > CHAIN_LIMITS.ruleChangeAheadBlocks) continue;
    const names = namesAt.get(left) ?? [];
    namesAt.set(left, [...names, name]);
  }
  return [...namesAt]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([blocksLeft, names]) => ({
      names,
      daaScore: asDaaScore(daaScore + blocksLeft),
      blocksLeft,
    }));
}
