/**
 * Rows of evidence about the chain, for verification in a visitor's browser: headers with work, an opened state, a path in the anchor log
 * (docs/light-client.md). What comes is a claim until it is judged.
 */
import * as v from "valibot";
import { hexField, queryCount } from "../../contract/requestFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { blockHash, decimalOf } from "../restFields.ts";
import { route } from "../route.ts";

const hash = hexField(32);
const LOW = "ab".repeat(32);
const HIGH = "ac".repeat(32);

const common = {
  group: "chain",
  method: "GET",
  credential: "none",
  scope: "any",
  timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
} as const;

const piece = { ...common, answer: v.instance(Uint8Array), isBinary: true } as const;
const missing = ["chain/unknown-block", "chain/pruned"] as const;

/** The rows by their names. */
export const EVIDENCE_ROUTES = {
  evidenceTip: route({
    ...common,
    path: "/evidence/tip",
    query: v.object({
      depth: queryCount(
        PROTOCOL_LIMITS.restEvidenceDepth,
        1,
        PROTOCOL_LIMITS.restEvidenceDepthMost,
      ),
    }),
    answer: v.object({
      block: blockHash,
      child: blockHash,
      sink: blockHash,
      blueScore: decimalOf("Blue score of `block`."),
      sinkBlueScore: decimalOf("Blue score of `sink`."),
      sinkDaaScore: decimalOf("DAA score of `sink`."),
      sinkTimestamp: decimalOf("Unix milliseconds of `sink`."),
      blocks: decimalOf("Chain blocks above `child`."),
      logCount: v.nullable(decimalOf("Chain blocks in the anchor log after `block`.")),
      securityFork: v.nullable(decimalOf("DAA score from which chain blocks are in the log.")),
    }),
    refusals: ["chain/unknown-block"],
    about:
      "Names the blocks that prove the newest state: `block`, the highest of the chain that lies `depth` blue scores below the sink, `child`, the one above it, and `sink`. Ask for the opening of `block` and for the run from `child` to `sink`.",
    example: {
      path: "/evidence/tip?depth=600",
      answer: {
        block: LOW,
        child: HIGH,
        sink: "ad".repeat(32),
        blueScore: "1275500",
        sinkBlueScore: "1276100",
        sinkDaaScore: "1276151",
        sinkTimestamp: "1795678900000",
        blocks: "581",
        logCount: "901200",
        securityFork: "300000",
      },
    },
  }),
  evidenceOpening: route({
    ...piece,
    path: "/evidence/opening",
    query: v.object({ of: hash }),
    refusals: missing,
    about:
      "Opens the state after a block of the selected chain, from the coinbase of the block above it.",
    example: { path: `/evidence/opening?of=${LOW}`, answer: new Uint8Array() },
  }),
  evidenceMembership: route({
    ...piece,
    path: "/evidence/membership",
    query: v.object({ of: hash, at: hash }),
    refusals: [...missing, "evidence/not-member"],
    about: "Gives the path of the block `of` in the anchor log after the block `at`.",
    example: { path: `/evidence/membership?of=${LOW}&at=${HIGH}`, answer: new Uint8Array() },
  }),
  evidenceRun: route({
    ...piece,
    path: "/evidence/run",
    query: v.object({ from: hash, to: hash }),
    refusals: [...missing, "codec/count-too-large"],
    about:
      "Gives the headers from one block of the selected chain to a later one, whose work can be recomputed: all of up to 600 blocks, those of a block level of up to 7,200.",
    example: { path: `/evidence/run?from=${LOW}&to=${HIGH}`, answer: new Uint8Array() },
  }),
} as const;
