/** Handlers of the public REST interface: one for each row of its table, from what the engine says (specification explorer A2). */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { NumberText } from "@svc/shared/protocol/contract/numberText.ts";
import { readEmissionFacts, type EmissionFacts } from "@svc/shared/protocol/facts/emissionFacts.ts";
import type { ShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import type { RestAnswer, RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";
import { parseNetAddress } from "../../platform/net/netAddress.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { coinsOf, halvingDocument } from "./halvingDocument.ts";
import { maskedNet } from "./maskedNet.ts";

/** The handlers. Each rejects with `run/aborted` when the signal fires, and as a question to the engine does. */
export type RestHandlers = {
  readonly [R in RestRouteName]: (node: NodeApi, signal: AbortSignal) => Promise<RestAnswer<R>>;
};

/** One for each row. */
export const REST_HANDLERS: RestHandlers = {
  blockDag: async (node, signal) => {
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

  network: (node) => {
    const peers = node.network?.peers() ?? [];
    const nets = new Set(
      peers.map(({ address }) => maskedNet(parseNetAddress(address, 1)?.ip ?? "")),
    );
    const userAgents = new Set(peers.map(({ userAgent }) => userAgent));
    return Promise.resolve({
      nodes: nets.size + 1,
      connectedPeers: peers.length,
      peerNets: [...nets].toSorted(),
      userAgents: [...userAgents].toSorted(),
    });
  },

  health: (node) => {
    if (node.status().isSynced) return Promise.resolve("ok");
    const reason = "the node does not follow the chain";
    return Promise.reject(new SvcError("http/unavailable", { reason }));
  },

  shielded: async (node, signal) => {
    const { tip, pool } = await poolOf(node, signal);
    return {
      anchor: pool.root,
      blueScore: String(pool.blueScore),
      emissionPerBlock: coinsOf(emissionOf(node, tip).subsidy),
      noteCount: new NumberText(String(pool.noteCount)),
      nullifierCount: new NumberText(String(pool.nullifierCount)),
      turnstileIn: String(pool.cumulativeCoinbase),
      turnstileOut: String(pool.cumulativeBurns),
      blockHash: pool.hash,
      daaScore: String(pool.daaScore),
    };
  },

  coinSupply: async (node, signal) => {
    const { pool } = await poolOf(node, signal);
    return {
      circulatingSupply: String(pool.poolValue),
      maxSupply: null,
      emissionModel: "perpetual-tail",
    };
  },

  blockReward: async (node, signal) => {
    const tip = await askFacts(node, "tip", [], signal);
    return { blockreward: coinsOf(emissionOf(node, tip).subsidy) };
  },

  halving: async (node, signal) => {
    const tip = await askFacts(node, "tip", [], signal);
    return halvingDocument(emissionOf(node, tip), {
      daaScore: tip.daaScore,
      sinkTimestamp: tip.sinkTimestamp,
      blockMs: BigInt(node.profile.targetTimePerBlockMs),
    });
  },
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
