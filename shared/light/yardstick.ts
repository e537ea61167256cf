/** The measure of work: the easiest work that counts, and the unit by which work is told as time (docs/light-client.md, "The floor"). */
import type { WorkCheckpoint } from "./checkpointOf.ts";
import type { WorkFloor } from "./coreJudge.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";
import { workOfBits } from "./workBlocks.ts";

/** What is known of a network's work. */
export type Yardstick = {
  /** Null for the network's own rules alone. */
  readonly floor: WorkFloor | null;
  /** Hashes of a block of the whole network, eased by the weeks since it was known; 0 where nothing is known. */
  readonly unit: bigint;
};

/** How work may fall: so many factors of two at once, and one more for each such time. */
export type Easing = { readonly halvings: number; readonly everyMs: bigint };

/** The judge takes no more. */
const MOST_HALVINGS = 255;

/** The floor at `nowMs` below bits that held at `knownMs`, by the caller's own clock. */
export function easedFloor(
  { bits, knownMs }: { readonly bits: number; readonly knownMs: bigint },
  { halvings, everyMs }: Easing,
  nowMs: bigint,
): WorkFloor {
  const age = nowMs > knownMs ? nowMs - knownMs : 0n;
  return { bits, halvings: Math.min(MOST_HALVINGS, halvings + Number(age / everyMs)) };
}

const EASING = { halvings: LIGHT_LIMITS.workHalvings, everyMs: LIGHT_LIMITS.workHalvingMs };

/**
 * By the hardest of the headers that are known, each eased by the time since, by the caller's own clock: no header that a node showed makes
 * the measure easier than what was known before.
 */
export function yardstickOf(known: readonly (WorkCheckpoint | null)[], nowMs: bigint): Yardstick {
  let found: Yardstick = { floor: null, unit: 0n };
  for (const header of known) {
    if (header === null) continue;
    const floor = easedFloor({ bits: header.bits, knownMs: header.timestamp }, EASING, nowMs);
    const unit = workOfBits(header.bits) >> BigInt(floor.halvings - EASING.halvings);
    if (found.floor === null || unit > found.unit) found = { floor, unit };
  }
  return found;
}
