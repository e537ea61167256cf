/** Random times of a Poisson process, for events that must not tell anything of each other. */
import { P2P_LIMITS } from "../p2pLimits.ts";

/** Milliseconds until the next event, exponential with this mean and bounded. `random` is at least 0 and below 1. */
export function randomMs(meanMs: number, random: () => number): number {
  return Math.round(meanMs * Math.min(-Math.log(1 - random()), P2P_LIMITS.p2pRandomMeans));
}
