/**
 * The measure of work above a block that a page shows: neither far below the network's as the release knows it, nor far below that of the
 * block itself (docs/light-client.md, "The floor").
 */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import { easedWork, harderOf, type EasedWork } from "@svc/shared/light/yardstick.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import type { CheckContext } from "../checkContext.ts";
import type { CheckedFacts } from "../checkReport.ts";

/** The harder of the two, by the visitor's own clock. A block, which anybody may have picked, is eased the faster. */
export function chainYardstick(
  { profileDigest, nowMs }: Pick<CheckContext, "profileDigest" | "nowMs">,
  { bits, timestamp }: Pick<CheckedFacts, "bits" | "timestamp">,
): EasedWork {
  const known = easedWork(checkpointOf(profileDigest), nowMs());
  const own = { bits, timestamp: asTimestampMs(BigInt(timestamp)) };
  return harderOf(known, easedWork(own, nowMs(), PAGE_LIMITS.checkFloorHalvingMs));
}
