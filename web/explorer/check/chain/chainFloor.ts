/**
 * The easiest work that counts above a block that a page shows: neither far below the network's as the release knows it, nor far below that
 * of the block itself (docs/light-client.md, "The floor").
 */
import { readProfile } from "@svc/shared/chain/profile.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import type { WorkFloor } from "@svc/shared/light/coreJudge.ts";
import { easedFloor } from "@svc/shared/light/easedFloor.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import type { CheckContext } from "../checkContext.ts";
import type { CheckedFacts } from "../checkReport.ts";

const EASING = {
  halvings: WALLET_LIMITS.evidenceFloorHalvings,
  everyMs: WALLET_LIMITS.evidenceFloorHalvingMs,
};

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
  const floorOf = (of: number, knownMs: bigint) =>
    easedFloor({ bits: of, knownMs }, EASING, nowMs());
  const release = floorOf(known.bits, known.timestamp);
  const own = floorOf(bits, BigInt(timestamp));
  return leastWork(own) > leastWork(release) ? own : release;
}

/** Hashes of the easiest block that counts. */
function leastWork({ bits, halvings }: WorkFloor): bigint {
  return workOfBits(bits) >> BigInt(halvings);
}
