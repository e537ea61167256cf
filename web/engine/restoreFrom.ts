/** From the day a person remembers to the block where scanning begins. */
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { RestoreFrom } from "./engineApi.ts";

/** Blocks do not keep to the clock and people not to the day: begin this much earlier. */
const MARGIN_MS = 2n * 86_400_000n;

/** Numbers of the network that a birthday depends on. */
export type BirthdayUnits = {
  readonly blockTimeMs: bigint;
  /** Depth in blue score below which no reorganisation is expected. */
  readonly settleDepth: bigint;
};

/**
 * The birthday to store: a blue score for a date and for now, so that it means the same block whenever the
 * wallet is opened; genesis when that lies before the chain. A date later than now counts as now.
 */
export function birthdayOf(
  from: RestoreFrom,
  tip: Pick<TipAnswer, "timeMs" | "sinkBlueScore">,
  { blockTimeMs, settleDepth }: BirthdayUnits,
): "genesis" | bigint {
  if (from.kind === "genesis") return "genesis";
  const sinceDate =
    from.kind === "date" ? (tip.timeMs - BigInt(from.ms) + MARGIN_MS) / blockTimeMs : 0n;
  const depth = sinceDate > settleDepth ? sinceDate : settleDepth;
  const blueScore = tip.sinkBlueScore - depth;
  return blueScore > 0n ? blueScore : "genesis";
}
