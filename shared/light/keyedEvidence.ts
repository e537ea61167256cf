/** Names each question about evidence, for whoever keeps the answers. */
import type { EvidencePort } from "./evidencePort.ts";

/** Answers a question by its name: from what is kept, or by asking. */
export type KeyedAsk = (name: string, ask: () => Promise<Uint8Array>) => Promise<Uint8Array>;

/** A node whose questions go through `keyed`. Equal questions have one name. */
export function keyedEvidence(node: EvidencePort, keyed: KeyedAsk): EvidencePort {
  return {
    opening: (of, part, signal) =>
      keyed(`opening ${of} ${part}`, () => node.opening(of, part, signal)),
    membership: (of, at, signal) =>
      keyed(`membership ${of} ${at}`, () => node.membership(of, at, signal)),
    run: (from, to, signal) => keyed(`run ${from} ${to}`, () => node.run(from, to, signal)),
  };
}
