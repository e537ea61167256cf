/** Schema of the chain's tip: the engine's TipFacts, and the answer of `GET /v1/tip` around them. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const tipFields = {
  genesis: fields.blockHash,
  /** Newest block of the selected chain. */
  sink: fields.blockHash,
  sinkBlueScore: fields.blueScore,
  sinkBlueWork: fields.blueWork,
  sinkTimestamp: fields.timestampMs,
  /** DAA score of the next block. */
  daaScore: fields.daaScore,
  chainIndex: fields.chainIndex,
  /** Chain index below which nothing is reorganised any more. */
  finalIndex: fields.chainIndex,
  /** Leaves of the note tree after the sink. */
  treeSize: fields.leafPosition,
  treeRoot: fields.anchor,
  pruningPoint: fields.blockHash,
  virtualParents: v.array(fields.blockHash),
  tips: v.array(fields.blockHash),
  /** Best header, ahead of the sink while bodies are missing. */
  headersTip: fields.blockHash,
  headersBlueScore: fields.blueScore,
  headersBlueWork: fields.blueWork,
  pastMedianTime: fields.timestampMs,
  bits: fields.u32,
  /** For display only. */
  difficulty: v.number(),
  blockCount: fields.u64,
  headerCount: fields.u64,
  /** DAA score from which scan records are kept; 0 = from genesis. */
  historyFromDaaScore: fields.daaScore,
  historyComplete: v.boolean(),
} as const;

const tipFacts = v.object(tipFields);

const ruleChange = v.object({
  /** Activations of the profile. */
  names: v.array(v.string()),
  daaScore: fields.daaScore,
  blocksLeft: fields.u64,
});

const tipAnswer = v.object({
  ...tipFields,
  network: v.string(),
  profileDigest: v.string(),
  isSynced: v.boolean(),
  mempoolSize: fields.u32,
  proverReady: v.boolean(),
  /** The node keeps the bodies of blocks below its pruning point. */
  isArchival: v.boolean(),
  maxPage: fields.u32,
  /** The node's clock. */
  timeMs: fields.timestampMs,
  /** What changes within the next 100,000 blocks, the nearest first. A node of before did not say. */
  ruleChanges: v.optional(v.array(ruleChange), []),
});

/** The engine's view of the tip. */
export type TipFacts = v.InferOutput<typeof tipFacts>;
/** The answer of `GET /v1/tip` and the content of a live TIP frame. */
export type TipAnswer = v.InferOutput<typeof tipAnswer>;

/** Reads TipFacts. Throws `codec/bad-json`. */
export const readTipFacts = factsReader(tipFacts, "TipFacts");
/** Reads the answer of `GET /v1/tip`. Throws `codec/bad-json`. */
export const readTipAnswer = factsReader(tipAnswer, "tip");
