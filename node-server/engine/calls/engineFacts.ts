/**
 * Schemas of the engine's answers to calls that change its state (docs/formats.md 3): parsed and checked in form.
 *
 * Only our own core produces these texts, so the hashes inside are trusted to be hashes.
 */
import * as v from "valibot";
import { parseU64 } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { fields } from "@svc/shared/base/fields.ts";

const decimal = v.pipe(v.string(), v.transform(parseU64));

/** The form of a job: a transaction in a block whose proof must be judged. */
export const verdictJob = v.object({
  block: fields.blockHash,
  index: v.number(),
  txid: fields.txId,
  format: v.number(),
});

const insertOutcome = v.variant("kind", [
  v.object({
    kind: v.literal("accepted"),
    hash: fields.blockHash,
    new: v.boolean(),
    needVerdicts: v.array(verdictJob),
  }),
  v.object({
    kind: v.literal("missingParents"),
    hash: fields.blockHash,
    parents: v.array(fields.blockHash),
  }),
  v.object({
    kind: v.literal("rejected"),
    hash: fields.blockHash,
    code: v.string(),
    data: v.record(v.string(), v.string()),
  }),
]);

const chainBlockAdded = v.object({
  hash: fields.blockHash,
  index: fields.chainIndex,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  applied: v.array(fields.txId),
  dropped: v.array(v.object({ txid: fields.txId, reason: v.string() })),
});

const engineEvent = v.variant("type", [
  v.object({
    type: v.literal("blockAdded"),
    hash: fields.blockHash,
    parents: v.array(fields.blockHash),
  }),
  v.object({
    type: v.literal("virtualChanged"),
    removed: v.array(fields.blockHash),
    added: v.array(chainBlockAdded),
    sink: fields.blockHash,
    sinkBlueScore: fields.blueScore,
    daaScore: fields.daaScore,
    tips: v.array(fields.blockHash),
    last: v.boolean(),
  }),
  v.object({
    type: v.literal("finalityViolation"),
    tip: fields.blockHash,
    blueScore: fields.blueScore,
  }),
  v.object({
    type: v.literal("levelConflict"),
    block: fields.blockHash,
    level: v.number(),
    other: v.number(),
    child: v.nullable(fields.blockHash),
  }),
  v.object({
    type: v.literal("pruned"),
    point: fields.blockHash,
    historyFromDaaScore: fields.daaScore,
  }),
]);

const resolveOutcome = v.object({
  done: v.boolean(),
  needVerdicts: v.array(verdictJob),
  events: v.array(engineEvent),
});

const pruneOutcome = v.object({
  done: v.boolean(),
  blocks: v.number(),
  events: v.array(engineEvent),
});

const txCheck = v.object({
  txid: fields.txId,
  format: v.number(),
  verdict: v.picklist(["known", "needed"]),
  fee: fields.sompi,
  size: v.number(),
  computeMass: decimal,
  transientMass: decimal,
  minimumFee: fields.sompi,
  nullifiers: v.array(fields.nullifier),
  anchor: fields.anchor,
  anchorBlock: v.nullable(fields.blockHash),
  anchorBlueScore: v.nullable(fields.blueScore),
  lockTime: decimal,
});

const templateRejections = v.array(
  v.object({
    txid: fields.txId,
    code: v.string(),
    data: v.optional(v.record(v.string(), v.string()), {}),
  }),
);

/** A verification job: a transaction whose proof must be judged before its block can be. */
export type VerdictJob = v.InferOutput<typeof verdictJob>;
/** The outcome of inserting a block or header. */
export type InsertOutcome = v.InferOutput<typeof insertOutcome>;
/** The outcome of one step towards the best tip. */
export type ResolveOutcome = v.InferOutput<typeof resolveOutcome>;
/** The outcome of one step of pruning: whether nothing is left to do, and of how many blocks something was deleted. */
export type PruneOutcome = v.InferOutput<typeof pruneOutcome>;
/** An event of the engine: a durable fact. */
export type EngineEvent = v.InferOutput<typeof engineEvent>;
/**
 * The event that the selected chain moved, perhaps by a reorganisation. A long change comes in pages: each is a change of its
 * own that ends in `sink`, and only after the `last` one virtual stands on its sink.
 */
export type VirtualChanged = Extract<EngineEvent, { type: "virtualChanged" }>;
/** The result of judging a transaction against the virtual block, its proof aside. */
export type TxCheck = v.InferOutput<typeof txCheck>;
/** A candidate transaction that a template left out, and why. */
export type TemplateRejection = v.InferOutput<typeof templateRejections>[number];

function reader<S extends v.GenericSchema>(schema: S, name: string) {
  return (json: string): v.InferOutput<S> => {
    const parsed = v.safeParse(schema, JSON.parse(json));
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    const path = v.getDotPath(issue) ?? "";
    throw new SvcError("internal/unexpected", { message: `${name}: ${path} ${issue.message}` });
  };
}

/** Reads the answer of `insertBlock`. */
export const readInsertOutcome = reader(insertOutcome, "InsertOutcome");
/** Reads the answer of `insertHeaders`. */
export const readInsertOutcomes = reader(v.array(insertOutcome), "InsertOutcomes");
/** Reads the answer of `resolve`. */
export const readResolveOutcome = reader(resolveOutcome, "ResolveOutcome");
/** Reads the answer of `prune`. */
export const readPruneOutcome = reader(pruneOutcome, "PruneOutcome");
/** Reads the answer of `checkTransaction`. */
export const readTxCheck = reader(txCheck, "TxCheck");
/** Reads a template's list of refused candidates. */
export const readTemplateRejections = reader(templateRejections, "template rejections");
