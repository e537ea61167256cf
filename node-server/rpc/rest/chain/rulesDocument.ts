/** The document of `/info/rules`: which rules change, from which block on, and about when (specification consensus 1.4). */
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { wholeNumber } from "../call/wholeNumber.ts";

const MS_PER_SECOND = 1_000n;

/** Makes the document: every activation of the profile that is still to come, however far away. It depends on the chain alone. */
export function rulesDocument(
  {
    activations,
    targetTimePerBlockMs,
  }: Pick<NetworkProfile, "activations" | "targetTimePerBlockMs">,
  { daaScore, sinkTimestamp }: Pick<TipFacts, "daaScore" | "sinkTimestamp">,
): RestAnswer<"rules"> {
  const ahead = Object.entries(activations).flatMap(([name, height]) =>
    height === null || BigInt(height) <= daaScore ? [] : [{ name, height: BigInt(height) }],
  );
  return {
    daaScore: wholeNumber(daaScore),
    changes: ahead
      .toSorted((a, b) => Number(a.height - b.height) || (a.name < b.name ? -1 : 1))
      .map(({ name, height }) => {
        const left = height - daaScore;
        const at = (sinkTimestamp + left * BigInt(targetTimePerBlockMs)) / MS_PER_SECOND;
        return {
          name,
          daaScore: wholeNumber(height),
          blocksRemaining: wholeNumber(left),
          expectedAt: wholeNumber(at),
        };
      }),
  };
}
