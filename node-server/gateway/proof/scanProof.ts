/** Proof of a scan, as data: the proved states of its chain, the work above them, and the floor of work. */
import type { BlockHash, BlueScore, ChainIndex, TimestampMs } from "@svc/shared/base/brand.ts";
import type { WorkCheckpoint } from "@svc/shared/light/checkpointOf.ts";
import { blocksOfHashes, workOfBits } from "@svc/shared/light/workBlocks.ts";
import { NO_WORK_ABOVE, type WorkLadder } from "@svc/shared/light/workLadder.ts";
import { easedWork, yardstickOf, type Yardstick } from "@svc/shared/light/yardstick.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** The note tree after a block, from which on the scan has every leaf. */
export type TreeBase = {
  readonly chainIndex: ChainIndex;
  /** A TreeState, as hex. */
  readonly tree: string;
};

/** A state that was proved, and the header above it. */
export type ProvedStep = {
  /** The block whose state it is. */
  readonly hash: BlockHash;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  /** The block above it, whose coinbase commits to the state. */
  readonly child: ProvedHeader;
  /** Work of this chain up to that block, itself included, counted from the first step on. */
  readonly total: bigint;
};

/** A header that was judged. */
export type ProvedHeader = {
  readonly hash: BlockHash;
  readonly blueScore: BlueScore;
  readonly bits: number;
  /** As its miner says. */
  readonly timestamp: TimestampMs;
};

/** Bits of a header that was judged, and when by the clock of this machine: no node goes far below. */
export type ProvedFloor = { readonly bits: number; readonly setMs: TimestampMs };

/** What was proved. */
export type ScanProof = {
  /** Null while the tree is still to be asked for. */
  readonly base: TreeBase | null;
  /** Payments up to this blue score were found before evidence was asked for; null for none. */
  readonly believedTo: BlueScore | null;
  /** Lowest first. */
  readonly steps: readonly ProvedStep[];
  /** It outlives every rescan. */
  readonly floor: ProvedFloor | null;
};

/** Nothing is proved. */
export const UNPROVED: ScanProof = {
  base: null,
  believedTo: null,
  steps: [],
  floor: null,
};

/** The proof of a scan that begins anew behind a block. */
export function begunAt({ floor }: ScanProof, base: TreeBase | null): ScanProof {
  return { ...UNPROVED, base, floor };
}

/** The proof with one more state. Steps between which the work hardly differs become one. */
export function withStep(proof: ScanProof, step: ProvedStep): ScanProof {
  return { ...proof, steps: thinned([...proof.steps, step]) };
}

/** The proof without the states that a block above one that stays commits to. */
export function cutTo(proof: ScanProof, common: ChainIndex): ScanProof {
  const steps = proof.steps.filter(({ chainIndex }) => chainIndex < common);
  return steps.length === proof.steps.length ? proof : { ...proof, steps };
}

/**
 * The floor after a state was proved. Its header moves the floor where the row of headers that ends with it is worth many such blocks: a few
 * that somebody mined harder than the network's make no honest header too easy. Easier work lowers the floor by no look: time eases it.
 */
export function floorAfter(
  floor: ProvedFloor | null,
  { child: { bits }, total }: Pick<ProvedStep, "child" | "total">,
  nowMs: TimestampMs,
): ProvedFloor | null {
  const { unit } = easedWork(checkpointIn(floor), nowMs);
  const work = workOfBits(bits);
  const isLong = work > 0n && total / work >= GATEWAY_LIMITS.proofFloorBlocks;
  return isLong && work >= unit ? { bits, setMs: nowMs } : floor;
}

/** The measure of work: by the header that was judged here, and by the checkpoint. */
export function scanYardstick(
  { floor }: Pick<ScanProof, "floor">,
  checkpoint: WorkCheckpoint | null,
  nowMs: TimestampMs,
): Yardstick {
  return yardstickOf(checkpointIn(floor), checkpoint, nowMs);
}

function checkpointIn(floor: ProvedFloor | null): WorkCheckpoint | null {
  return floor === null ? null : { bits: floor.bits, timestamp: floor.setMs };
}

/** Depths by the proof, in blocks of `unit` hashes or of the last header's work where that is more; null for a network without work. */
export function ladderOf({ believedTo, steps }: ScanProof, unit: bigint | null): WorkLadder {
  const end = steps.at(-1);
  const above = ({ child, total }: ProvedStep): bigint => {
    if (unit === null || end === undefined) return NO_WORK_ABOVE;
    const hashes = end.total - total + workOfBits(child.bits);
    const blocks = blocksOfHashes(hashes, end.child.bits, unit);
    return blocks < NO_WORK_ABOVE ? blocks : NO_WORK_ABOVE;
  };
  return {
    believedTo,
    steps: steps.map((step) => ({ blueScore: step.blueScore, above: above(step) })),
  };
}

/** The last step stays: the next run begins at it. */
function thinned(steps: readonly ProvedStep[]): readonly ProvedStep[] {
  const end = steps.at(-1)?.chainIndex ?? 0n;
  const kept: ProvedStep[] = [];
  for (const step of steps) {
    const [before, last] = kept.slice(-2);
    const isNear =
      before !== undefined &&
      last !== undefined &&
      (step.chainIndex - before.chainIndex) * GATEWAY_LIMITS.proofStepParts < end - step.chainIndex;
    if (isNear) kept.pop();
    kept.push(step);
  }
  return kept.slice(-GATEWAY_LIMITS.proofSteps);
}
