/** Evidence parts over the core: its judge and its products of nullifiers, beside a node that serves. */
import { concatBytes } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { callCore } from "../../core/callCore.ts";
import type { CoreGlue } from "../../core/generated/coreGlue.ts";
import { CoreJudge } from "../../light/coreJudge.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import type { WorkCheckpoint } from "../../light/checkpointOf.ts";
import type { EvidenceParts } from "../state/ports.ts";

/** What evidence needs of the core. */
export type EvidenceCore = Pick<
  CoreGlue,
  "EvidenceJudge" | "multiplyNullifiers" | "nullifierDigest"
>;

/** The network that evidence is judged for. */
export type EvidenceNetwork = {
  /** Canonical JSON of the profile. */
  readonly profileJson: string;
  /** DAA score from which chain blocks stand in the anchor log; null for never. */
  readonly logFrom: bigint | null;
  readonly checkpoint: WorkCheckpoint | null;
};

/** Makes the parts for one node. What they do throws as the core's functions do. */
export function coreEvidence(
  core: EvidenceCore,
  source: EvidencePort,
  { profileJson, logFrom, checkpoint }: EvidenceNetwork,
): EvidenceParts {
  const bytesOf = (factors: readonly string[]) =>
    concatBytes(...factors.map((factor) => decodeHex(factor)));
  return {
    source,
    judge: new CoreJudge(core, profileJson),
    multiply: (factors) => encodeHex(callCore(() => core.multiplyNullifiers(bytesOf(factors)))),
    digest: (product) => callCore(() => core.nullifierDigest(decodeHex(product))),
    logFrom,
    checkpoint,
  };
}
