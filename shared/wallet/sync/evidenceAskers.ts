/** Who asks for evidence along a wallet's walk: for the work, for payments whole, and a second node. */
import type { ClockPort, EvidenceParts } from "../state/ports.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import type { FollowerParts } from "./chainFollower.ts";
import { DrawnBlocks } from "./drawnBlocks.ts";
import { EvidenceAsker, type AskerState } from "./evidenceAsker.ts";
import { PayloadDrawer } from "./payloadDrawer.ts";
import { RecordComparer } from "./recordComparer.ts";

/** The askers as a follower takes them. */
export type Askers = Pick<FollowerParts, "evidence" | "payloads" | "second">;

/** Dependencies: without evidence nobody asks. */
export type AskersParts = {
  readonly policy: WalletPolicy;
  readonly clock: ClockPort;
  readonly evidence?: EvidenceParts;
};

/** Makes them for a state. */
export function evidenceAskers(
  { evidence, policy, clock }: AskersParts,
  state: AskerState,
): Askers {
  if (evidence === undefined) return {};
  const { source, logFrom, payloads, second } = evidence;
  const { blockTimeMs } = policy;
  const drawn = payloads === undefined ? null : new DrawnBlocks(payloads.draw, state.proof.fault);
  return {
    evidence: new EvidenceAsker({ source, logFrom, blockTimeMs, drawn }, state),
    ...(payloads === undefined || drawn === null
      ? {}
      : { payloads: new PayloadDrawer(payloads, drawn) }),
    ...(second === undefined
      ? {}
      : { second: new RecordComparer({ second, clock }, state.proof.second.compared) }),
  };
}
