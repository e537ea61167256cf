/** Asks a node for evidence of a tip: the opening of a state, and the run of headers above it. */
import type { EvidenceTipFacts } from "../protocol/facts/evidenceFacts.ts";
import type { EvidencePort, TipEvidence } from "./evidencePort.ts";

/** The evidence of the blocks that a node named (`TipPort.evidenceTip`). Rejects as the port does. */
export async function tipEvidence(
  node: EvidencePort,
  { block, child, sink }: Pick<EvidenceTipFacts, "block" | "child" | "sink">,
  signal: AbortSignal,
): Promise<TipEvidence> {
  const [opening, run] = await Promise.all([
    node.opening(block, "digest", signal),
    node.run(child, sink, signal),
  ]);
  return { opening, run };
}
