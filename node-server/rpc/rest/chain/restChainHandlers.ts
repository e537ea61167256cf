/** Handlers of the public REST interface about the chain as a whole, its supply and its rules. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readEmissionFacts, type EmissionFacts } from "@svc/shared/protocol/facts/emissionFacts.ts";
import type { ShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { askFacts } from "../../../engine/calls/askFacts.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import type { RestHandlersOf } from "../call/restCall.ts";
import { wholeNumber } from "../call/wholeNumber.ts";
import { coinsOf, halvingDocument } from "./halvingDocument.ts";
import { rulesDocument } from "./rulesDocument.ts";

/** The handlers. */
export const REST_CHAIN_HANDLERS: RestHandlersOf<
  "blockDag" | "health" | "rules" | "shielded" | "coinSupply" | "blockReward" | "halving"
> = {
  blockDag: async ({ node, signal }) => {
    const tip = await askFacts(node, "tip", [], signal);
    return {
      networkName: node.profile.networkName,
      blockCount: String(tip.blockCount),
      headerCount: String(tip.headerCount),
      tipHashes: tip.tips,
      difficulty: tip.difficulty,
      pastMedianTime: String(tip.pastMedianTime),
      virtualParentHashes: tip.virtualParents,
      pruningPointHash: [tip.pruningPoint],
      virtualDaaScore: String(tip.daaScore),
      sink: tip.sink,
    };
  },

  health: ({ node }) => {
    if (node.status().isSynced) return Promise.resolve("ok");
    const reason = "the node does not follow the chain";
    return Promise.reject(new SvcError("http/unavailable", { reason }));
  },

  shielded: async ({ node, signal }) => {
    const { tip, pool } = await poolOf(node, signal);
    return {
      anchor: pool.root,
      blueScore: String(pool.blueScore),
      emissionPerBlock: coinsOf(emissionOf(node, tip).subsidy),
      noteCount: wholeNumber(pool.noteCount),
      nullifierCount: wholeNumber(pool.nullifierCount),
      turnstileIn: String(pool.cumulativeCoinbase),
      turnstileOut: String(pool.cumulativeBurns),
      blockHash: pool.hash,
      daaScore: String(pool.daaScore),
    };
  },

  coinSupply: async ({ node, signal }) => {
    const { pool } = await poolOf(node, signal);
    return {
      circulatingSupply: String(pool.poolValue),
      maxSupply: null,
      emissionModel: "perpetual-tail",
    };
  },

  blockReward: async ({ node, signal }) => {
    const tip = await askFacts(node, "tip", [], signal);
    return { blockreward: coinsOf(emissionOf(node, tip).subsidy) };
  },

  halving: async ({ node, signal }) => {
    const tip = await askFacts(node, "tip", [], signal);
    return halvingDocument(emissionOf(node, tip), {
      daaScore: tip.daaScore,
      sinkTimestamp: tip.sinkTimestamp,
      blockMs: BigInt(node.profile.targetTimePerBlockMs),
    });
  },

  rules: async ({ node, signal }) =>
    rulesDocument(node.profile, await askFacts(node, "tip", [], signal)),
};

async function poolOf(
  node: NodeApi,
  signal: AbortSignal,
): Promise<{ readonly tip: TipFacts; readonly pool: ShieldedFacts }> {
  const tip = await askFacts(node, "tip", [], signal);
  return { tip, pool: await askFacts(node, "shieldedFacts", [tip.sink], signal) };
}

/** Of the next block. */
function emissionOf(node: NodeApi, { daaScore }: TipFacts): EmissionFacts {
  return readEmissionFacts(node.core.emissionFacts(node.profile.canonicalJson, daaScore));
}
