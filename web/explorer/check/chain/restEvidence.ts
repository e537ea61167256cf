/** Evidence of a node over the public REST interface, as a node and the edge serve it: what comes is a claim until it is judged. */
import { abortable } from "@svc/shared/base/abort.ts";
import type { TipPort } from "@svc/shared/light/evidencePort.ts";
import { readEvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import type { CheckSource } from "../checkSource.ts";

/** Asks the server of a page. Rejects as the source does, and with `run/aborted`. */
export function restEvidence(source: Pick<CheckSource, "evidence">): TipPort {
  const piece = (path: string, signal: AbortSignal): Promise<Uint8Array> =>
    abortable(source.evidence(`/evidence/${path}`), signal);
  return {
    evidenceTip: async (depth, signal) => {
      const bytes = await piece(`tip?depth=${depth}`, signal);
      return readEvidenceTipFacts(new TextDecoder().decode(bytes));
    },
    // A page needs no product of nullifiers, and the interface has none.
    opening: (of, _, signal) => piece(`opening?of=${of}`, signal),
    membership: (of, at, signal) => piece(`membership?of=${of}&at=${at}`, signal),
    run: (from, to, signal) => piece(`run?from=${from}&to=${to}`, signal),
  };
}
