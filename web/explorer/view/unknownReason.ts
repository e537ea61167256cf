/** Why a hash names nothing, from what the node said. */
import { MISSING_REASONS, type MissingReason } from "@svc/shared/protocol/rest/missingReason.ts";
import type { RestFault } from "../live/restDocument.ts";

/** The reason. A node that says nothing of it has never seen the hash, or no longer knows that it has. */
export function unknownReasonOf(fault: RestFault | null): MissingReason {
  const told = fault?.["reason"];
  const reason = MISSING_REASONS.find((one) => one === told);
  if (reason !== undefined) return reason;
  const isPruned = fault?.code === "chain/pruned" || fault?.code === "body/pruned";
  return isPruned ? "pruned" : "never-seen";
}
