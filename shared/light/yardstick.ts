/** The measure of work: the easiest work that counts, and the unit by which work is told as time (docs/light-client.md, "The floor"). */
import type { WorkCheckpoint } from "./checkpointOf.ts";
import type { WorkFloor } from "./coreJudge.ts";
import { LIGHT_LIMITS } from "./lightLimits.ts";
import { workOfBits } from "./workBlocks.ts";

/** A floor, and the hashes of a block that it lies below. */
export type EasedWork = {
  /** Null for the network's own rules alone. */
  readonly floor: WorkFloor | null;
  /** 0 where nothing is known. */
  readonly unit: bigint;
};

/** The easiest work that counts on a network, and its unit. */
export type Yardstick = Pick<EasedWork, "floor"> & {
  /** Hashes of a block of the network; null where the program does not know them. */
  readonly unit: bigint | null;
};

/** The judge takes no more. */
const MOST_HALVINGS = 255;

/** The work of a header that is known, half as much for each `everyMs` since, by the caller's own clock. */
export function easedWork(
  header: WorkCheckpoint | null,
  nowMs: bigint,
  everyMs: bigint = LIGHT_LIMITS.workHalvingMs,
): EasedWork {
  if (header === null) return { floor: null, unit: 0n };
  const { bits, timestamp } = header;
  const { workHalvings } = LIGHT_LIMITS;
  const age = nowMs > timestamp ? nowMs - timestamp : 0n;
  const since = Math.min(MOST_HALVINGS - workHalvings, Number(age / everyMs));
  return {
    floor: { bits, halvings: workHalvings + since },
    unit: workOfBits(bits) >> BigInt(since),
  };
}

/** The harder of the two, the first of equals. */
export function harderOf(one: EasedWork, other: EasedWork): EasedWork {
  const isOther = one.floor === null || (other.floor !== null && other.unit > one.unit);
  return isOther ? other : one;
}

/**
 * The measure by the header that was proved last and by the checkpoint. The floor is eased by weeks; no header that a node showed makes it
 * easier than what was known before. The unit is that of the checkpoint, or of what was proved where that is harder: it is not eased, or easy
 * headers would be told as time of a network that mines harder ones.
 */
export function yardstickOf(
  proved: WorkCheckpoint | null,
  checkpoint: WorkCheckpoint | null,
  nowMs: bigint,
): Yardstick {
  const own = easedWork(proved, nowMs);
  const { floor } = harderOf(easedWork(checkpoint, nowMs), own);
  if (checkpoint === null) return { floor, unit: null };
  const known = workOfBits(checkpoint.bits);
  return { floor, unit: known > own.unit ? known : own.unit };
}

/** How a receipt's work is measured by a header that is known: its bits, and the easiest headers above a tip. Nothing where none is known. */
export function receiptMeasure(
  known: WorkCheckpoint | null,
  nowMs: bigint,
): { readonly bits?: number; readonly floor?: WorkFloor } {
  const { floor } = yardstickOf(null, known, nowMs);
  return known === null || floor === null ? {} : { bits: known.bits, floor };
}
