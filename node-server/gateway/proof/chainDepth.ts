/** Depth of a chain by its proved states: the last judged header, and the work above each state. */
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import { ladderOf, UNPROVED, type ScanProof } from "./scanProof.ts";

/** What a proof says; that of a scan which has none yet proves nothing. */
export function depthOf(stored: ScanProof | undefined, unit: bigint | null): ChainDepth {
  const proof = stored ?? UNPROVED;
  return { tip: proof.steps.at(-1)?.child.blueScore ?? null, ladder: ladderOf(proof, unit) };
}
