/** Clock of the edge. A Worker's clock stands still between two calls of the outside, which is exact enough for what is due in seconds. */
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";

/** The time of day. */
export function edgeNow(): TimestampMs {
  return asTimestampMs(BigInt(Date.now()));
}

/** A time as ISO 8601 in UTC. `ms`: Unix ms. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
