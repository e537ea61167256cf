/** Handlers of the public REST interface for those who check what they are shown, from what the engine says. */
import * as v from "valibot";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { askFacts } from "../../../engine/calls/askFacts.ts";
import { DeepAnswer, type RestCall, type RestHandlersOf } from "../call/restCall.ts";

const profileForm = v.looseObject({ networkName: v.string() });

/** The handlers. */
export const REST_CHECK_HANDLERS: RestHandlersOf<"acceptanceProof" | "supplyProof" | "profile"> = {
  acceptanceProof: async (call) => {
    const { node, params, signal } = call;
    const proof = await askFacts(node, "acceptanceProof", [asBlockHash(params.id)], signal);
    return new DeepAnswer(proof, await depthOf(call, params.id));
  },

  supplyProof: async (call) => {
    const { node, params, signal } = call;
    const proof = await askFacts(node, "supplyProof", [asBlockHash(params.id)], signal);
    return new DeepAnswer(proof, await depthOf(call, params.id));
  },

  profile: ({ node }) =>
    Promise.resolve(v.parse(profileForm, JSON.parse(node.profile.canonicalJson))),
};

/** By how much the sink is above a block of the chain. */
async function depthOf(
  { node, signal }: Pick<RestCall, "node" | "signal">,
  id: string,
): Promise<bigint> {
  const tip = await askFacts(node, "tip", [], signal);
  const { blueScore } = await askFacts(node, "shieldedFacts", [asBlockHash(id)], signal);
  return tip.sinkBlueScore > blueScore ? tip.sinkBlueScore - blueScore : 0n;
}
