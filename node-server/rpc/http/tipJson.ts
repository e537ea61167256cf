/** The JSON of the chain's tip, the answer of `/v1/tip` and of TIP frames: the engine's TipFacts and what only the node knows. */
import * as v from "valibot";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { ruleChangesAhead, type RuleChange } from "@svc/shared/chain/ruleChanges.ts";
import type { NodeApi } from "../service/nodeApi.ts";

const decimal = v.pipe(v.string(), v.regex(/^[0-9]+$/));
const engineTip = v.looseObject({
  sink: v.string(),
  chainIndex: decimal,
  sinkBlueScore: decimal,
  daaScore: decimal,
});

/** The JSON of the tip; 64-bit numbers are decimal text, or become it on the wire. */
export type TipJson = v.InferOutput<typeof engineTip> & {
  readonly network: string;
  readonly profileDigest: string;
  readonly isSynced: boolean;
  readonly mempoolSize: number;
  readonly proverReady: boolean;
  readonly isArchival: boolean;
  readonly maxPage: number;
  readonly timeMs: string;
  readonly ruleChanges: readonly RuleChange[];
};

/** Asks the engine and adds the node's own facts. */
export async function tipJson(node: NodeApi, signal?: AbortSignal): Promise<TipJson> {
  const facts = v.parse(engineTip, JSON.parse(await node.ask("tip", [], signal)));
  const status = node.status();
  return {
    ...facts,
    network: node.profile.networkName,
    profileDigest: node.profile.digest,
    isSynced: status.isSynced,
    mempoolSize: status.mempoolSize,
    proverReady: status.proverReady,
    isArchival: status.isArchival,
    maxPage: PROTOCOL_LIMITS.recordPageMax,
    timeMs: String(status.nowMs),
    ruleChanges: ruleChangesAhead(node.profile, asDaaScore(BigInt(facts.daaScore))),
  };
}
