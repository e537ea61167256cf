/** Rows about who mines, as far as blocks tell (specification explorer A6; corrections T16). */
import * as v from "valibot";
import { flagOf, integerOf, share, text, textOf, word } from "../../contract/answerFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { blockHash, coverage, displayOf } from "../restFields.ts";
import { route } from "../route.ts";

const HASH = "ab".repeat(32);
const COVERED = {
  coveredFrom: { daaScore: "1000000", timestamp: "1795400000000" },
  isComplete: true,
} as const;

const miner = v.object({
  id: textOf("Stays the same from answer to answer."),
  label: textOf("Name of the pool, or the payout address with its middle left out."),
  source: word(
    ["payload-tag", "address", "auxpow"],
    "What the blocks were grouped by: a known tag, the payout address, or that of the parent block.",
  ),
  blocks: integerOf("Blocks of the window, blue and red."),
  red: integerOf("Red ones among them."),
  share,
  hashrate: displayOf("Hashes per second: its share of the measured rate."),
  distinctAddresses: integerOf("Payout addresses of these blocks."),
  mergeMinedBlocks: integerOf("Merge-mined ones among them."),
  lastBlockHash: blockHash,
  lastBlockTime: integerOf("Unix milliseconds."),
});

const paired = v.object({
  id: textOf("Keyed by a secret that each start of the node draws anew."),
  net: textOf("Subnetwork of the peer: the last part of its address is masked."),
  country: v.nullable(text),
  parentNetwork: v.nullable(text),
  parentUserAgent: v.nullable(text),
  parentNodeIdShort: v.nullable(text),
  blocks: integerOf("Merge-mined blocks that this peer was the first to deliver."),
  lastSeen: integerOf("Unix seconds of the newest of them."),
});

/** The rows by their names. */
export const MINING_ROUTES = {
  miners: route({
    group: "history",
    method: "GET",
    path: "/info/miners",
    credential: "none",
    scope: "any",
    answer: v.object({
      windowSeconds: v.literal(3_600),
      updatedAt: integerOf("Unix milliseconds: the end of the window."),
      totalBlocks: integerOf("Blocks of the window, blue and red."),
      red: integerOf("Red ones among them."),
      distinctAddresses: integerOf("Payout addresses of these blocks."),
      networkHashrate: displayOf("Hashes per second: 2 × difficulty × measured blocks per second."),
      miners: v.array(miner),
      ...coverage,
    }),
    refusals: ["http/unavailable"],
    about:
      "Groups the blocks of the last hour by pool. A tag in a block is its miner's claim; an address may belong to anybody.",
    example: {
      answer: {
        windowSeconds: 3_600,
        updatedAt: 1_795_678_901_234,
        totalBlocks: 3_600,
        red: 12,
        distinctAddresses: 4,
        networkHashrate: 162_469_135,
        miners: [
          {
            id: "5d41402a",
            label: "svc:qr7n4…k2s9dm",
            source: "address",
            blocks: 1_800,
            red: 6,
            share: 0.5,
            hashrate: 81_234_567.5,
            distinctAddresses: 1,
            mergeMinedBlocks: 0,
            lastBlockHash: HASH,
            lastBlockTime: 1_795_678_901_234,
          },
        ],
        ...COVERED,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  mergedMining: route({
    group: "history",
    method: "GET",
    path: "/info/merged-mining",
    credential: "none",
    scope: "any",
    answer: v.object({
      scannedAt: integerOf("Unix seconds of the newest block that was looked at; 0 for none."),
      peers: integerOf("Peers of the node."),
      merged: integerOf("Peers that were the first to deliver a merge-mined block."),
      checked: integerOf("Blocks of the last day that were looked at."),
      mergeMined: integerOf("Merge-mined ones among them."),
      share,
      probing: flagOf("Whether peers are asked for a parent node: never without the operator."),
      nodes: v.array(paired),
      ...coverage,
    }),
    refusals: ["http/unavailable"],
    about:
      "Tells how many blocks are merge-mined, from the witnesses in their headers, and which peers delivered them first: they need not be the miners.",
    example: {
      answer: {
        scannedAt: 1_795_678_901,
        peers: 8,
        merged: 1,
        checked: 86_400,
        mergeMined: 43_000,
        share: 0.4977,
        probing: false,
        nodes: [
          {
            id: "9f86d081",
            net: "203.0.113.x",
            country: null,
            parentNetwork: null,
            parentUserAgent: null,
            parentNodeIdShort: null,
            blocks: 43_000,
            lastSeen: 1_795_678_901,
          },
        ],
        ...COVERED,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
