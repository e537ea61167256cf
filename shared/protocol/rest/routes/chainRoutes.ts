/** Rows about the chain, the peers of the node, and whether it follows them. */
import * as v from "valibot";
import { integerOf, text, textOf } from "../../contract/answerFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { blockHash, blockHashes, decimalOf, displayOf } from "../restFields.ts";
import { route } from "../route.ts";

const blockDag = v.object({
  networkName: textOf("Name of the network."),
  blockCount: decimalOf("Blocks whose bodies the node has."),
  headerCount: decimalOf("Headers that the node has."),
  tipHashes: blockHashes,
  difficulty: displayOf("Difficulty of the next block."),
  pastMedianTime: decimalOf("Unix milliseconds: the median time of the past of the next block."),
  virtualParentHashes: blockHashes,
  pruningPointHash: v.pipe(v.array(blockHash), v.length(1)),
  virtualDaaScore: decimalOf("DAA score of the next block."),
  sink: blockHash,
});

const network = v.object({
  nodes: integerOf("Subnetworks of the peers, and the node itself."),
  connectedPeers: integerOf("Connections of the node with peers."),
  peerNets: v.array(text),
  userAgents: v.array(text),
});

/** The rows by their names. */
export const CHAIN_ROUTES = {
  blockDag: route({
    group: "chain",
    method: "GET",
    path: "/info/blockdag",
    credential: "none",
    scope: "any",
    answer: blockDag,
    about: "Tells how far the chain is: blocks, difficulty, tips, pruning point.",
    example: {
      answer: {
        networkName: "net-example",
        blockCount: "1276151",
        headerCount: "1276151",
        tipHashes: ["ab".repeat(32)],
        difficulty: 81_234_567.5,
        pastMedianTime: "1795678901234",
        virtualParentHashes: ["ab".repeat(32)],
        pruningPointHash: ["cd".repeat(32)],
        virtualDaaScore: "1276152",
        sink: "ab".repeat(32),
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  network: route({
    group: "chain",
    method: "GET",
    path: "/info/network",
    credential: "none",
    scope: "any",
    answer: network,
    about:
      "Tells of the peers of this node, the last part of each address masked. It is one node's view, and what peers call themselves is their claim.",
    example: {
      answer: {
        nodes: 3,
        connectedPeers: 2,
        peerNets: ["2001:db8:7::/48", "203.0.113.x"],
        userAgents: ["/svc:0.1.0/"],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  health: route({
    group: "health",
    method: "GET",
    path: "/health",
    credential: "none",
    scope: "any",
    answer: textOf("`ok`."),
    isText: true,
    refusals: ["http/unavailable"],
    about: "Answers `ok` while the node follows the chain, and 503 while it does not.",
    example: { answer: "ok" },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
