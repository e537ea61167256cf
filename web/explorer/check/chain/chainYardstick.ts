/**
 * The measure of work above a block that a page shows: neither far below the network's as the release knows it, nor far below that of the
 * block itself (docs/light-client.md, "The floor").
 */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import type { WorkCheckpoint } from "@svc/shared/light/checkpointOf.ts";
import { easedWork, harderOf, yardstickOf, type EasedWork } from "@svc/shared/light/yardstick.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import type { CheckedFacts } from "../checkReport.ts";

/**
 * The harder floor of the two, by the visitor's own clock: a block, which anybody may have picked, is eased the faster. The unit is that of the
 * checkpoint as it is, or of the eased block where that is harder.
 */
export function chainYardstick(
  checkpoint: WorkCheckpoint | null,
  { bits, timestamp }: Pick<CheckedFacts, "bits" | "timestamp">,
  nowMs: bigint,
): EasedWork {
  const block = { bits, timestamp: asTimestampMs(BigInt(timestamp)) };
  const own = easedWork(block, nowMs, PAGE_LIMITS.checkFloorHalvingMs);
  const { floor } = harderOf(easedWork(checkpoint, nowMs), own);
  const known = yardstickOf(null, checkpoint, nowMs).unit ?? 0n;
  return { floor, unit: known > own.unit ? known : own.unit };
}
