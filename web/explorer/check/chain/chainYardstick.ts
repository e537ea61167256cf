/**
 * The measure of work above a block that a page shows: neither far below the network's as the release knows it, nor far below that of the
 * block itself (docs/light-client.md, "The floor").
 */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import { hardestOf, yardstickOf, type Yardstick } from "@svc/shared/light/yardstick.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import type { CheckContext } from "../checkContext.ts";
import type { CheckedFacts } from "../checkReport.ts";

/** The harder of the two, by the visitor's own clock. A block, which anybody may have picked, is eased the faster. */
export function chainYardstick(
  {
    profileJson,
    profileDigest,
    nowMs,
  }: Pick<CheckContext, "profileJson" | "profileDigest" | "nowMs">,
  { bits, timestamp }: Pick<CheckedFacts, "bits" | "timestamp">,
): Yardstick {
  const known = checkpointOf(readProfile(profileJson), profileDigest);
  const block = { bits, timestamp: asTimestampMs(BigInt(timestamp)) };
  return hardestOf([
    yardstickOf([known], nowMs()),
    yardstickOf([block], nowMs(), PAGE_LIMITS.checkFloorHalvingMs),
  ]);
}
