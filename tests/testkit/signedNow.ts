/** The time of day against which a receiver of tests holds what a program of the same machine signed. */
import { systemClock } from "@svc/node-server/platform/time/clock.ts";

/** Unix seconds. */
export function signedNow(): bigint {
  return systemClock.nowMs() / 1_000n;
}
