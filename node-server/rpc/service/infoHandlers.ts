/** RPC handlers about the node and the chain as a whole (specification network 2.2). */
import { networkId } from "@svc/shared/chain/profile.ts";
import { ruleChangesAhead } from "@svc/shared/chain/ruleChanges.ts";
import type { Handlers } from "./rpcMethods.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Version of the call surface that clients check. */
const API_VERSION = 1;
const API_REVISION = 0;

type InfoMethod =
  | "getCurrentNetwork"
  | "getSink"
  | "getBlockCount"
  | "getBlockDagInfo"
  | "getSinkBlueScore"
  | "getInfo"
  | "ping"
  | "getServerInfo";

/** Handlers of the info methods. */
export const infoHandlers: Handlers<InfoMethod> = {
  ping: () => ({ error: undefined }),

  // The kind of network, without the number of a test network.
  getCurrentNetwork: (_, { node }) => ({
    currentNetwork: networkId(node.profile).replace(/-\d+$/, ""),
    error: undefined,
  }),

  getInfo: (_, { node }) => {
    const { isSynced, mempoolSize } = node.status();
    return {
      p2pId: node.nodeId,
      mempoolSize: BigInt(mempoolSize),
      serverVersion: node.version,
      isUtxoIndexed: false,
      isSynced,
      hasNotifyCommand: true,
      hasMessageId: true,
      error: undefined,
    };
  },

  getServerInfo: async (request, { node, signal }) => {
    const { daaScore } = await askFacts(node, "tip", [], signal);
    return {
      rpcApiVersion: API_VERSION,
      rpcApiRevision: API_REVISION,
      serverVersion: node.version,
      networkId: networkId(node.profile),
      hasUtxoIndex: false,
      isSynced: node.status().isSynced,
      virtualDaaScore: daaScore,
      ruleChanges: ruleChangesAhead(node.profile, daaScore).map(({ names, ...change }) => ({
        ...change,
        names: [...names],
      })),
      warnings: node.status().warnings.map((warning) => ({ ...warning })),
      profile: request.profile === true ? node.profile.canonicalJson : undefined,
      error: undefined,
    };
  },

  getSink: async (_, { node, signal }) => ({
    sink: (await askFacts(node, "tip", [], signal)).sink,
    error: undefined,
  }),

  getSinkBlueScore: async (_, { node, signal }) => ({
    blueScore: (await askFacts(node, "tip", [], signal)).sinkBlueScore,
    error: undefined,
  }),

  getBlockCount: async (_, { node, signal }) => {
    const { blockCount, headerCount } = await askFacts(node, "tip", [], signal);
    return { blockCount, headerCount, error: undefined };
  },

  getBlockDagInfo: async (_, { node, signal }) => {
    const tip = await askFacts(node, "tip", [], signal);
    return {
      networkName: node.profile.networkName,
      blockCount: tip.blockCount,
      headerCount: tip.headerCount,
      tipHashes: tip.tips,
      difficulty: tip.difficulty,
      pastMedianTime: tip.pastMedianTime,
      virtualParentHashes: tip.virtualParents,
      pruningPointHash: tip.pruningPoint,
      virtualDaaScore: tip.daaScore,
      sink: tip.sink,
      shieldedTip: {
        genesis: tip.genesis,
        profileDigest: node.profile.digest,
        sinkBlueScore: tip.sinkBlueScore,
        chainIndex: tip.chainIndex,
        treeSize: tip.treeSize,
        treeRoot: tip.treeRoot,
        historyFromDaaScore: tip.historyFromDaaScore,
        historyComplete: tip.historyComplete,
      },
      error: undefined,
    };
  },
};
