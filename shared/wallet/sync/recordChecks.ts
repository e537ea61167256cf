/** Evidence parts with checks of ciphertexts, which no state root covers: drawn payments, and a second node. */
import { callCore } from "../../core/callCore.ts";
import type { CoreGlue } from "../../core/generated/coreGlue.ts";
import type { PayloadPort } from "../../light/secondOpinion.ts";
import type { DrawPayment, EvidenceParts, SecondNode } from "../state/ports.ts";

/** Who is asked: the wallet's own node for payments, and another node where one is known. */
export type RecordSources = {
  readonly payloads: PayloadPort;
  readonly second: SecondNode | null;
  readonly draw: DrawPayment;
};

/** Adds the checks. What they do throws as the core's `checkPayload` does. */
export function withRecordChecks(
  core: Pick<CoreGlue, "checkPayload">,
  parts: EvidenceParts,
  { payloads: source, second, draw }: RecordSources,
): EvidenceParts {
  return {
    ...parts,
    payloads: {
      source,
      check: (block, shown) => callCore(() => core.checkPayload(block, shown)),
      draw,
    },
    ...(second === null ? {} : { second }),
  };
}
