/** Health of the hosted gateway by the last batch of its scanner: its age, and the proof fault that it names. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import type { GatewayHealth } from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { isoTime } from "@svc/shared/gateway/page/pageNumbers.ts";
import { faultSentenceOf, type NodeFault } from "@svc/shared/light/nodeFault.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import type { ChainTip } from "./chainTip.ts";

/** Health by what was told; null for nothing. */
export function scannerHealth(told: ChainTip | null, now: TimestampMs): GatewayHealth {
  if (told === null) return { reasons: ["no scanner has told anything"], scannerLagSeconds: null };
  const isLate = now - told.toldMs > EDGE_LIMITS.lagMs;
  const lag = Number((now - told.blockMs) / 1_000n);
  return {
    reasons: [
      ...(isLate ? ["the scanner tells nothing any more"] : []),
      ...(told.fault === null ? [] : [faultClaim(told.fault)]),
    ],
    scannerLagSeconds: Math.max(0, lag),
  };
}

/** A fault in words: the scanner's claim about its node, of which nothing is known here. */
export function faultClaim(fault: NodeFault): string {
  const since = isoTime(Number(fault.sinceMs / 1_000n));
  return `the scanner says of its node, since ${since}: ${faultSentenceOf(fault)} (${fault.code})`;
}
