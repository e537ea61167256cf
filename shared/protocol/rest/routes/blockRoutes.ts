/** Rows about blocks of the graph. */
import * as v from "valibot";
import { integerOf } from "../../contract/answerFields.ts";
import { queryCount, u64Field } from "../../contract/requestFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { coverage, idParams } from "../restFields.ts";
import { route } from "../route.ts";
import { EXAMPLE_BLOCK, EXAMPLE_GRAPH_BLOCK, EXAMPLE_RECENT_BLOCK } from "./blockExamples.ts";
import { graphBlock, recentBlock, wholeBlock } from "./blockRecords.ts";

/** A place in the list of recent blocks: the DAA score and the hash of the last one that was shown. */
const blockCursor = v.pipe(
  v.string("a cursor of an earlier answer"),
  v.regex(/^\d{1,20}-[0-9a-f]{64}$/, "a cursor of an earlier answer"),
);

const scoreQuery = v.pipe(
  v.object({ daaScore: v.optional(u64Field), blueScore: v.optional(u64Field) }),
  v.check(
    ({ daaScore, blueScore }) => (daaScore === undefined) !== (blueScore === undefined),
    "either daaScore or blueScore",
  ),
);

/** A minute: Unix milliseconds divided by 60,000. */
const minuteField = v.pipe(
  v.string("a minute"),
  v.regex(/^\d{1,9}$/, "Unix milliseconds divided by 60,000"),
  v.transform(Number),
);

/** The rows by their names. */
export const BLOCK_ROUTES = {
  recentBlocks: route({
    group: "chain",
    method: "GET",
    path: "/blocks/recent",
    credential: "none",
    scope: "any",
    query: v.object({
      limit: queryCount(PROTOCOL_LIMITS.restBlocksDefault, 1, PROTOCOL_LIMITS.restBlocksMax),
      before: v.optional(blockCursor),
    }),
    answer: v.array(recentBlock),
    refusals: ["http/unavailable"],
    about:
      "Lists the newest blocks of the graph. `before` is DAA score and hash of the last block of an earlier answer, joined by a hyphen.",
    example: { answer: [EXAMPLE_RECENT_BLOCK] },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  blocksAt: route({
    group: "chain",
    method: "GET",
    path: "/blocks/at",
    credential: "none",
    scope: "any",
    query: scoreQuery,
    answer: v.array(graphBlock),
    refusals: ["chain/pruned", "http/unavailable"],
    about:
      "Lists the blocks with a DAA score or a blue score; none where there are none. By a DAA score that the node's index covers it has all; otherwise a block that was merged long after the others of its score is left out.",
    example: { path: "/blocks/at?daaScore=1276151", answer: [EXAMPLE_GRAPH_BLOCK] },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  blockWindow: route({
    group: "chain",
    method: "GET",
    path: "/blocks/window",
    credential: "none",
    scope: "any",
    query: v.object({ minute: minuteField }),
    answer: v.object({
      minute: integerOf("Unix milliseconds divided by 60,000."),
      ...coverage,
      blocks: v.array(graphBlock),
    }),
    refusals: ["http/unavailable"],
    about:
      "Lists the blocks whose time lies in a minute, with their parents, as a graph is drawn from them.",
    example: {
      path: "/blocks/window?minute=29927981",
      answer: {
        minute: 29_927_981,
        coveredFrom: { daaScore: "1000000", timestamp: "1795400000000" },
        isComplete: true,
        blocks: [EXAMPLE_GRAPH_BLOCK],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  block: route({
    group: "chain",
    method: "GET",
    path: "/blocks/{id}",
    credential: "none",
    scope: "any",
    params: idParams,
    answer: wholeBlock,
    refusals: ["chain/unknown-block", "chain/pruned"],
    about: "Shows a block, with its place in the graph and its transactions.",
    example: { answer: EXAMPLE_BLOCK },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  blockBytes: route({
    group: "chain",
    method: "GET",
    path: "/blocks/{id}/bytes",
    credential: "none",
    scope: "any",
    params: idParams,
    answer: v.instance(Uint8Array),
    isBinary: true,
    refusals: ["chain/unknown-block", "chain/pruned"],
    about:
      "Gives a block in the raw form of this program, witness of merged mining included: what is needed to check it.",
    example: { answer: new Uint8Array() },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
