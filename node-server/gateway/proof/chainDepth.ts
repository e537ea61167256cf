/** Depth of a chain by its proved states: the last judged header, and the work above each state. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import type { NetworkWork } from "./networkWork.ts";
import { ladderOf, scanYardstick, UNPROVED, type ScanProof } from "./scanProof.ts";

/**
 * Depth by a proof; a scan that has none yet proves nothing. Where the program knows no work of the network nothing that a node showed makes a
 * payment deep.
 */
export function depthOf(
  stored: ScanProof | undefined,
  { hasWork, checkpoint }: NetworkWork,
  nowMs: TimestampMs,
): ChainDepth {
  const proof = stored ?? UNPROVED;
  const tip = proof.steps.at(-1)?.child.blueScore ?? null;
  if (!hasWork) return { tip, ladder: ladderOf(proof, null) };
  const { unit } = scanYardstick(proof, checkpoint, nowMs);
  const measured = unit === null ? { ...proof, steps: [] } : proof;
  return { tip, ladder: ladderOf(measured, unit ?? 0n) };
}
