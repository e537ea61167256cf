/** The measure of work: the easiest work that counts, and the unit by which work is told as time (docs/light-client.md, "The floor"). */
import type { WorkCheckpoint } from "./checkpointOf.ts";
import type { WorkFloor } from "./coreJudge.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";
import { workOfBits } from "./workBlocks.ts";

/** The easiest work that counts on a network, and its unit. */
export type Yardstick = {
  /** Null for the network's own rules alone. */
  readonly floor: WorkFloor | null;
  /** Hashes of a block of the whole network, eased by the weeks since it was known; 0 where nothing is known. */
  readonly unit: bigint;
};

/** The judge takes no more. */
const MOST_HALVINGS = 255;

/**
 * By the hardest of the headers that are known, each eased by the time since, by the caller's own clock: no header that a node showed makes
 * the measure easier than what was known before. `everyMs`: the time after which a header counts for half.
 */
export function yardstickOf(
  known: readonly (WorkCheckpoint | null)[],
  nowMs: bigint,
  everyMs: bigint = LIGHT_LIMITS.workHalvingMs,
): Yardstick {
  const { workHalvings } = LIGHT_LIMITS;
  const eased = known.flatMap((header) => {
    if (header === null) return [];
    const { bits, timestamp } = header;
    const age = nowMs > timestamp ? nowMs - timestamp : 0n;
    const since = Math.min(MOST_HALVINGS - workHalvings, Number(age / everyMs));
    return [
      { floor: { bits, halvings: workHalvings + since }, unit: workOfBits(bits) >> BigInt(since) },
    ];
  });
  return hardestOf(eased);
}

/** The yardstick with the greatest unit, the first of equals; one that knows nothing where there is none. */
export function hardestOf(yardsticks: readonly Yardstick[]): Yardstick {
  let found: Yardstick = { floor: null, unit: 0n };
  for (const next of yardsticks) if (found.floor === null || next.unit > found.unit) found = next;
  return found;
}
