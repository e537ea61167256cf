/** Rows about the node, its peers and its pool of waiting transactions. */
import * as v from "valibot";
import { flagOf, integerOf, share, text, textOf } from "../../contract/answerFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { decimalOf, displayOf } from "../restFields.ts";
import { route } from "../route.ts";

const shownNode = v.object({
  id: textOf(
    "Keyed by a secret that each start of the node draws anew; `explorer` for the node itself.",
  ),
  country: v.nullable(textOf("Two letters; null unless the operator gave a table of countries.")),
  countryName: v.nullable(text),
  lat: v.null(),
  lon: v.null(),
  net: textOf("Subnetwork: the last part of the address is masked. Empty for the node itself."),
  userAgent: textOf("What it calls itself: its claim."),
  protocolVersion: integerOf("Version of the peer protocol."),
  pingMs: v.nullable(integerOf("Milliseconds of the last ping.")),
  outbound: v.nullable(flagOf("Whether this node has dialled it; null for itself.")),
  connectedForSec: integerOf("Seconds of the connection, or of this process."),
  blocksRelayed: integerOf("Blocks that it was the first to deliver on this connection."),
  ibd: flagOf("Whether it is in its initial block download."),
  self: flagOf("Whether it is the node itself."),
});

const count = integerOf("Since the start of the node.");

const feeBucket = v.object({
  feerate: displayOf("Sompi per gram of mass."),
  estimatedSeconds: displayOf("Seconds until a block carries it."),
  estimateSeconds: displayOf("The same, by its older name."),
});

/** The rows by their names. */
export const NETWORK_ROUTES = {
  nodes: route({
    group: "network",
    method: "GET",
    path: "/info/nodes",
    credential: "none",
    scope: "any",
    answer: v.object({
      updatedAt: integerOf("Unix seconds."),
      totals: v.object({
        nodes: integerOf("Peers and the node itself."),
        peers: integerOf("Peers."),
        countries: integerOf("Countries that they are in, as far as known."),
        located: integerOf("Peers whose country is known."),
        inbound: integerOf("Peers that have dialled this node."),
        outbound: integerOf("Peers that this node has dialled."),
        ipv4: integerOf("Peers with an IPv4 address."),
        ipv6: integerOf("Peers with an IPv6 address."),
        blocksRelayed: integerOf("Blocks that they delivered first."),
      }),
      nodes: v.array(shownNode),
      countries: v.array(
        v.object({
          code: text,
          name: text,
          count: integerOf("Peers."),
          share,
          lat: v.null(),
          lon: v.null(),
        }),
      ),
      userAgents: v.array(v.object({ agent: text, count: integerOf("Peers.") })),
    }),
    about: "Lists the peers of this node, masked, itself first. It is the view of one node.",
    example: {
      answer: {
        updatedAt: 1_795_678_901,
        totals: {
          nodes: 2,
          peers: 1,
          countries: 0,
          located: 0,
          inbound: 0,
          outbound: 1,
          ipv4: 1,
          ipv6: 0,
          blocksRelayed: 52,
        },
        nodes: [
          {
            id: "explorer",
            country: null,
            countryName: null,
            lat: null,
            lon: null,
            net: "",
            userAgent: "/svc:0.1.0/",
            protocolVersion: 7,
            pingMs: null,
            outbound: null,
            connectedForSec: 3_600,
            blocksRelayed: 0,
            ibd: false,
            self: true,
          },
        ],
        countries: [],
        userAgents: [{ agent: "/svc:0.1.0/", count: 1 }],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  relay: route({
    group: "network",
    method: "GET",
    path: "/info/relay",
    credential: "none",
    scope: "any",
    answer: v.object({
      updatedAt: integerOf("Unix seconds."),
      blocksIngested: v.nullable(count),
      headersProcessed: v.nullable(
        integerOf(
          "Since the start of the node. Null from a node of this program: its engine reports no header that comes without its body.",
        ),
      ),
      bodiesProcessed: v.nullable(count),
      chainBlocksProcessed: v.nullable(count),
      transactionsProcessed: v.nullable(
        integerOf(
          "Payments that chain blocks applied or dropped since the start of the node. Those of a block that joined the chain twice count twice.",
        ),
      ),
      databaseBlocks: v.nullable(integerOf("Blocks whose bodies the node has.")),
      mempoolSize: integerOf("Transactions that wait."),
      tipHashes: integerOf("Tips of the graph."),
      virtualDaaScore: integerOf("DAA score of the next block."),
      difficulty: displayOf("Difficulty of the next block."),
      activePeers: integerOf("Connections with peers."),
    }),
    about:
      "Counts what this node took in since its start, mined by itself or relayed: this is no count of what it mined.",
    example: {
      answer: {
        updatedAt: 1_795_678_901,
        blocksIngested: 90_000,
        headersProcessed: null,
        bodiesProcessed: 90_000,
        chainBlocksProcessed: 86_400,
        transactionsProcessed: 96_000,
        databaseBlocks: 1_276_151,
        mempoolSize: 3,
        tipHashes: 1,
        virtualDaaScore: 1_276_152,
        difficulty: 81_234_567.5,
        activePeers: 8,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  mempool: route({
    group: "network",
    method: "GET",
    path: "/info/mempool",
    credential: "none",
    scope: "any",
    answer: v.object({
      count: integerOf("Transactions that wait."),
      bytes: integerOf("Their bytes."),
      actions: integerOf("Their actions."),
      fees: decimalOf("Sompi: the sum of their fees."),
      byActions: v.array(
        v.object({
          actions: integerOf("Actions of a payment."),
          count: integerOf("Payments with so many."),
        }),
      ),
    }),
    about: "Tells how many transactions wait, by their sizes. Each is opaque.",
    example: {
      answer: {
        count: 3,
        bytes: 21_792,
        actions: 6,
        fees: "5580000",
        byActions: [{ actions: 2, count: 3 }],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  feeEstimate: route({
    group: "network",
    method: "GET",
    path: "/info/fee-estimate",
    credential: "none",
    scope: "any",
    answer: v.object({
      priorityBucket: feeBucket,
      normalBuckets: v.array(feeBucket),
      lowBuckets: v.array(feeBucket),
      feeByActions: v.record(text, decimalOf("Sompi.")),
    }),
    about:
      "Tells which fee a payment needs. Fees of shielded payments go by their bytes, so that the number of actions settles them.",
    example: {
      answer: {
        priorityBucket: { feerate: 1, estimatedSeconds: 1, estimateSeconds: 1 },
        normalBuckets: [{ feerate: 1, estimatedSeconds: 1, estimateSeconds: 1 }],
        lowBuckets: [{ feerate: 1, estimatedSeconds: 2, estimateSeconds: 2 }],
        feeByActions: { "1": "1860000", "2": "1860000", "38": "24580000" },
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  rules: route({
    group: "network",
    method: "GET",
    path: "/info/rules",
    credential: "none",
    scope: "any",
    answer: v.object({
      daaScore: integerOf("DAA score of the next block."),
      changes: v.array(
        v.object({
          name: textOf("Name of the change in the network's profile."),
          daaScore: integerOf("DAA score of the first block under the new rule."),
          blocksRemaining: integerOf("Blocks until then, as the DAA score counts them."),
          expectedAt: integerOf(
            "Unix seconds at which it comes if blocks come at their target rate.",
          ),
        }),
      ),
    }),
    about: "Lists the changes of the rules that are still to come, the next one first.",
    example: {
      answer: {
        daaScore: 1_276_152,
        changes: [
          {
            name: "securityFork",
            daaScore: 6_983_500,
            blocksRemaining: 5_707_348,
            expectedAt: 1_801_386_249,
          },
        ],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
