/**
 * Calls of the core that import a snapshot at a pruning point, and the history below it (docs/formats.md 3, decision 17):
 * their names, and the forms of their answers.
 */
import * as v from "valibot";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { verdictJob } from "./engineFacts.ts";

/** Any answer of the core to an import call. */
export type PlainImportAnswer = string | boolean | undefined;

/** What `typeof` says of the answer to each call. */
const ANSWER_TYPES = {
  beginImport: "undefined",
  importProof: "string",
  contestProof: "undefined",
  contestRival: "undefined",
  contestStep: "string",
  importPoints: "boolean",
  importTrusted: "undefined",
  linkTrusted: "string",
  importBody: "string",
  bindingChild: "string",
  importBinding: "undefined",
  importLanes: "undefined",
  importLanePage: "undefined",
  importState: "undefined",
  importNullifiers: "undefined",
  wantsBindings: "boolean",
  importBindings: "undefined",
  waiveBindings: "undefined",
  requireImportWork: "undefined",
  importChain: "boolean",
  finishImport: "undefined",
  historyProgress: "string",
  importHistory: "string",
  historyStep: "string",
  dropHistory: "undefined",
  logProgress: "string",
  importLog: "string",
} as const satisfies { readonly [name in keyof RawEngine]?: "undefined" | "string" | "boolean" };

/** The name of a call. */
export type ImportStep = keyof typeof ANSWER_TYPES;
/** The arguments of a call. */
export type ImportArgs<S extends ImportStep> = Parameters<RawEngine[S]>;
/** The answer to a call, as the core gives it. */
export type ImportAnswer<S extends ImportStep> = ReturnType<RawEngine[S]>;

/** A call with its arguments; the host's `importStep` checks that they belong together. */
export type ImportCall = {
  readonly kind: "import";
  readonly step: ImportStep;
  readonly args: readonly unknown[];
};

/** Whether a value has the form that this call is answered with. */
export function isAnswerToStep<S extends ImportStep>(
  step: S,
  value: unknown,
): value is ImportAnswer<S> & PlainImportAnswer {
  return typeof value === ANSWER_TYPES[step];
}

/** Makes the call. Errors: the core's, `engine/bad-call`. */
export function takeImportStep(engine: RawEngine, { step, args }: ImportCall): PlainImportAnswer {
  const method: unknown = Reflect.get(engine, step);
  if (typeof method !== "function" || !(step in ANSWER_TYPES)) {
    throw new SvcError("engine/bad-call", { reason: `no call ${step}` });
  }
  const answer: unknown = Reflect.apply(method, engine, args);
  if (isAnswerToStep(step, answer)) return answer;
  throw new SvcError("engine/bad-call", { reason: `${step} answered ${typeof answer}` });
}

const proofView = v.nullable(v.object({ pruningPoint: fields.blockHash, blueWork: v.string() }));
const isBetter = v.nullable(v.boolean());
const wantedBodies = v.nullable(v.array(fields.blockHash));
const importedBody = v.object({ needVerdicts: v.array(verdictJob), missing: v.number() });
const historyProgress = v.variant("kind", [
  v.object({ kind: v.literal("complete") }),
  v.object({ kind: v.literal("working") }),
  v.object({
    kind: v.literal("wanted"),
    base: fields.blockHash,
    below: v.pipe(v.string(), v.transform(Number)),
    lowest: v.nullable(fields.blockHash),
  }),
]);

const logProgress = v.variant("kind", [
  v.object({ kind: v.literal("complete") }),
  v.object({
    kind: v.literal("wanted"),
    base: fields.blockHash,
    count: fields.u64,
    first: fields.u64,
  }),
]);

/** What a complete pruning proof shows. `blueWork` is hexadecimal. */
export type ProofView = NonNullable<v.InferOutput<typeof proofView>>;
/** The outcome of importing a body: the proofs to judge, and how many bodies are missing yet. */
export type ImportedBody = v.InferOutput<typeof importedBody>;
/**
 * The progress of a history import: all there; being worked off, which takes steps; or the records are wanted that lie `below`
 * and more chain blocks under `base`, downwards (`below` 0: that of `base` itself first). `lowest` is the block of the lowest
 * record that has come, under which the next one lies; null before the first.
 */
export type HistoryProgress = v.InferOutput<typeof historyProgress>;

/**
 * What is lacking of the anchor log: nothing, or the entries from `first` on of the `count` that there are after `base`, where the
 * store began.
 */
export type LogProgress = v.InferOutput<typeof logProgress>;

/** Reads the answer of `importProof`; null while the proof is not judged to its end. */
export function readProofView(json: string): ProofView | null {
  return read(proofView, json, "proof view");
}

/** Reads the answer of `contestStep`; null while the proof of the chain in use is not judged to its end. */
export function readIsBetter(json: string): boolean | null {
  return read(isBetter, json, "comparison of proofs");
}

/** Reads the answer of `linkTrusted`; null while headers are left. */
export function readWantedBodies(json: string): BlockHash[] | null {
  return read(wantedBodies, json, "wanted bodies");
}

/** Reads the answer of `importBody`. */
export function readImportedBody(json: string): ImportedBody {
  return read(importedBody, json, "imported body");
}

/** Reads the answer of the calls about history. */
export function readHistoryProgress(json: string): HistoryProgress {
  return read(historyProgress, json, "history progress");
}

/** Reads the answer of the calls about the anchor log. */
export function readLogProgress(json: string): LogProgress {
  return read(logProgress, json, "log progress");
}

function read<S extends v.GenericSchema>(schema: S, json: string, name: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, JSON.parse(json));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new SvcError("internal/unexpected", { message: `${name}: ${issue.message}` });
}
