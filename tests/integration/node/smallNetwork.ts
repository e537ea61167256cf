/** Test network profile whose pruning point moves every 25 blocks. */
import { readFileSync } from "node:fs";

/** Blue score between two pruning points. */
export const FINALITY = 25;

/** Blue score below the sink at which blocks are pruned. */
export const DEPTH = 160;

/** The prune profile, as JSON, with depths in reach of a few hundred blocks. */
export function smallNetwork(): string {
  const file = new URL("../../profiles/prune.json", import.meta.url);
  const profile: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
  return JSON.stringify({
    ...profile,
    ghostdagK: 3,
    mergesetSizeLimit: 8,
    mergeDepth: 10,
    finalityDepth: FINALITY,
    pruningDepth: DEPTH,
    pruningProofM: 6,
    shieldedAnchorDepth: 3,
    maxShieldedAnchorAge: 20,
    difficultyWindowSize: 30,
    minDifficultyWindowSize: 6,
    maxBlockLevel: 254,
  });
}
