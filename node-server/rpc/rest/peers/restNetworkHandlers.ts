/** Handlers of the public REST interface about the node, its peers, and what waits in its pool. */
import { askFacts } from "../../../engine/calls/askFacts.ts";
import { feeEstimate } from "./feeEstimate.ts";
import { maskedNet } from "./maskedNet.ts";
import { ipOf, nodesDocument, shownAgent } from "./nodesDocument.ts";
import type { RestHandlersOf } from "../call/restCall.ts";
import { wholeNumber } from "../call/wholeNumber.ts";

const MS_PER_SECOND = 1_000n;

/** The handlers. */
export const REST_NETWORK_HANDLERS: RestHandlersOf<
  "network" | "nodes" | "relay" | "mempool" | "feeEstimate"
> = {
  network: ({ node }) => {
    const peers = node.network?.peers() ?? [];
    const nets = new Set(peers.map((peer) => maskedNet(ipOf(peer))));
    const userAgents = new Set(peers.map(shownAgent));
    return Promise.resolve({
      nodes: nets.size + 1,
      connectedPeers: peers.length,
      peerNets: [...nets].toSorted(),
      userAgents: [...userAgents].toSorted(),
    });
  },

  nodes: ({ node, session }) => Promise.resolve(nodesDocument(node, session)),

  // The engine reports no header that comes without its body.
  relay: async ({ node, session, signal }) => {
    const tip = await askFacts(node, "tip", [], signal);
    const { nowMs, mempoolSize } = node.status();
    const { blocks, chainBlocks, payments } = session.counts;
    return {
      updatedAt: wholeNumber(nowMs / MS_PER_SECOND),
      blocksIngested: blocks,
      headersProcessed: null,
      bodiesProcessed: blocks,
      chainBlocksProcessed: chainBlocks,
      transactionsProcessed: payments,
      databaseBlocks: wholeNumber(tip.blockCount),
      mempoolSize,
      tipHashes: tip.tips.length,
      virtualDaaScore: wholeNumber(tip.daaScore),
      difficulty: tip.difficulty,
      activePeers: node.network?.peers().length ?? 0,
    };
  },

  mempool: ({ node }) => {
    const waiting = node.waiting();
    const byActions = new Map<number, number>();
    for (const { nullifiers } of waiting) {
      byActions.set(nullifiers.length, (byActions.get(nullifiers.length) ?? 0) + 1);
    }
    return Promise.resolve({
      count: waiting.length,
      bytes: waiting.reduce((sum, { size }) => sum + size, 0),
      actions: waiting.reduce((sum, { nullifiers }) => sum + nullifiers.length, 0),
      fees: String(waiting.reduce((sum, { fee }) => sum + fee, 0n)),
      byActions: [...byActions]
        .toSorted(([a], [b]) => a - b)
        .map(([actions, count]) => ({ actions, count })),
    });
  },

  feeEstimate: ({ node }) => {
    const { massLimits, targetTimePerBlockMs } = node.profile;
    const limits = { compute: BigInt(massLimits.compute), transient: BigInt(massLimits.transient) };
    return Promise.resolve(feeEstimate(node.waiting(), { limits, blockMs: targetTimePerBlockMs }));
  },
};
