/** Asks a node for each piece of evidence once, however often it is needed: how often says how many notes a payment has. */
import type { EvidencePort } from "./evidencePort.ts";
import { keyedEvidence } from "./keyedEvidence.ts";

/** The same node, for one piece of work: answers are kept as long as what is returned. A question that failed is not asked again. */
export function askedOnce(node: EvidencePort): EvidencePort {
  const answers = new Map<string, Promise<Uint8Array>>();
  return keyedEvidence(node, (name, ask) => {
    const answer = answers.get(name) ?? ask();
    answers.set(name, answer);
    return answer;
  });
}
