/** From the day a person remembers to the block where scanning begins. */
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { RestoreFrom } from "./engineApi.ts";

/** Blocks do not keep to the clock and people not to the day: begin this much earlier. */
const MARGIN_MS = 2n * 86_400_000n;

/** The birthday to store: a blue score for a date, 0 when the date is older than the chain. */
export function birthdayOf(
  from: RestoreFrom,
  tip: Pick<TipAnswer, "timeMs" | "sinkBlueScore">,
  blockTimeMs: bigint,
): "genesis" | "now" | bigint {
  if (from.kind !== "date") return from.kind;
  const age = tip.timeMs - BigInt(from.ms) + MARGIN_MS;
  const blueScore = tip.sinkBlueScore - age / blockTimeMs;
  return blueScore > 0n ? blueScore : "genesis";
}
