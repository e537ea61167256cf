/**
 * The easiest work that counts above a block that a page shows: neither far below the network's as the release knows it, nor far below that
 * of the block itself (docs/light-client.md, "The floor").
 */
import { readProfile } from "@svc/shared/chain/profile.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import type { WorkFloor } from "@svc/shared/light/coreJudge.ts";
import { LIGHT_LIMITS } from "@svc/shared/light/lightLimits.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { easedFloor } from "@svc/shared/light/yardstick.ts";
import type { WorkFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import type { CheckContext } from "../checkContext.ts";
import type { CheckedFacts } from "../checkReport.ts";

/** Since a release, as in the wallet; and since a block, which anybody may have picked. */
const EASINGS = {
  release: { halvings: LIGHT_LIMITS.workHalvings, everyMs: LIGHT_LIMITS.workHalvingMs },
  block: {
    halvings: LIGHT_LIMITS.workHalvings,
    everyMs: PAGE_LIMITS.checkFloorHalvingMs,
  },
} as const;

/** The harder of the two floors, by the visitor's own clock. */
export function chainFloor(
  {
    profileJson,
    profileDigest,
    nowMs,
  }: Pick<CheckContext, "profileJson" | "profileDigest" | "nowMs">,
  { bits, timestamp }: Pick<CheckedFacts, "bits" | "timestamp">,
): WorkFloor {
  const known = checkpointOf(readProfile(profileJson), profileDigest);
  const { bits: releaseBits, timestamp: releasedMs } = known;
  const release = easedFloor({ bits: releaseBits, knownMs: releasedMs }, EASINGS.release, nowMs());
  const own = easedFloor({ bits, knownMs: BigInt(timestamp) }, EASINGS.block, nowMs());
  return leastWork(own) > leastWork(release) ? own : release;
}

/**
 * Work above a block in blocks of the whole network: of the tip's difficulty, or of what is known of the network's where that is harder.
 * Rounded down.
 */
export function blocksAbove(
  { work, bits }: Pick<WorkFacts, "work" | "bits">,
  { bits: knownBits, halvings }: WorkFloor,
): bigint {
  const since = BigInt(halvings - LIGHT_LIMITS.workHalvings);
  const [known, tip] = [workOfBits(knownBits) >> since, workOfBits(bits)];
  const each = known > tip ? known : tip;
  return each === 0n ? 0n : BigInt(`0x${work}`) / each;
}

/** Hashes of the easiest block that counts. */
function leastWork({ bits, halvings }: WorkFloor): bigint {
  return workOfBits(bits) >> BigInt(halvings);
}
