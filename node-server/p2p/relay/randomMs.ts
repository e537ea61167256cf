/** Random times between events that know nothing of each other (a Poisson process). */
import { LIMITS } from "@svc/shared/base/limits.ts";

/** Milliseconds until the next event, exponential with this mean and bounded. `random` is at least 0 and below 1. */
export function randomMs(meanMs: number, random: () => number): number {
  return Math.round(meanMs * Math.min(-Math.log(1 - random()), LIMITS.p2pRandomMeans));
}
