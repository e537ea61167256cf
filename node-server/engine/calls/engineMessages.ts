/** Messages between the main thread and the engine's thread: calls, answers and events. Plain data, cloned on the way. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { RawReader } from "@svc/shared/core/coreGlue.ts";
import type { EngineEvent, InsertOutcome, TemplateRejection, TxCheck } from "./engineFacts.ts";
import type { ImportCall, PlainImportAnswer } from "./importCalls.ts";

/** A question that engine and readers answer, by the name of the call. */
export type Question = Exclude<keyof RawReader, "free">;
/** The arguments of a question. */
export type QuestionArgs<Q extends Question> = Parameters<RawReader[Q]>;
/** The answer to a question, as the core gives it. */
export type QuestionAnswer<Q extends Question> = ReturnType<RawReader[Q]>;

/** The forms an answer may have. */
type AnswerForm = "text" | "bytes" | "number" | "absent";

const ANSWER_FORMS: { readonly [Q in Question]: readonly AnswerForm[] } = {
  tip: ["text"],
  blockBytes: ["bytes", "absent"],
  transactionBytes: ["bytes", "absent"],
  blockFacts: ["text", "absent"],
  chainHashAt: ["text", "absent"],
  chainIndexOf: ["number", "absent"],
  chainFacts: ["text", "absent"],
  records: ["bytes"],
  recordOf: ["bytes"],
  locate: ["text"],
  treeState: ["bytes"],
  shieldedFacts: ["text"],
  anchors: ["bytes"],
  blocksFrom: ["text"],
  virtualChainFrom: ["text"],
  storedRecord: ["bytes", "absent"],
  storedKeys: ["bytes"],
  selfCheck: ["bytes", "absent"],
  blockStage: ["text", "absent"],
  chainLocator: ["bytes"],
  blockLocator: ["bytes"],
  hashesBetween: ["bytes"],
  headersBetween: ["bytes"],
  bodiesMissing: ["bytes"],
  headersOf: ["bytes"],
  blocksOf: ["bytes"],
  pruningPoints: ["bytes"],
  beginning: ["text"],
  ancestry: ["text"],
};

function formOf(value: PlainAnswer): AnswerForm {
  if (value === undefined) return "absent";
  if (typeof value === "string") return "text";
  return typeof value === "bigint" ? "number" : "bytes";
}

/** Whether a value has the form that this question is answered with. */
export function isAnswerTo<Q extends Question>(
  question: Q,
  value: PlainAnswer,
): value is QuestionAnswer<Q> & PlainAnswer {
  return ANSWER_FORMS[question].includes(formOf(value));
}

/** A question as a message, with its arguments; the host's `ask` checks that they belong together. */
export type AskCall = {
  readonly kind: "ask";
  readonly question: Question;
  readonly args: readonly unknown[];
};

/** A request for a block template: whom it pays and what may go in, best first. */
export type TemplateCall = {
  readonly kind: "template";
  readonly payScript: Uint8Array;
  readonly extraData: Uint8Array;
  readonly candidates: readonly Uint8Array[];
  readonly nowMs: bigint;
};

/** A block template: RawBlock without proof of work, and the candidates left out. */
export type BuiltTemplate = {
  readonly block: Uint8Array;
  readonly rejected: readonly TemplateRejection[];
};

/** The verdict on a proof. */
export type Verdict = { readonly txid: string; readonly format: number; readonly valid: boolean };

/** A request to insert a block. */
export type BlockCall = {
  readonly kind: "block";
  readonly raw: Uint8Array;
  readonly nowMs: bigint;
  /** Whether it goes before all that wait and are not. */
  readonly first?: boolean;
};

/** Calls that get an answer. */
export type EngineCall =
  | AskCall
  | TemplateCall
  | BlockCall
  | ImportCall
  /** `raw` is RawHeaders, at most 128 of them. */
  | { readonly kind: "headers"; readonly raw: Uint8Array; readonly nowMs: bigint }
  | { readonly kind: "check"; readonly raw: Uint8Array; readonly nowMs: bigint }
  | { readonly kind: "group"; readonly on: boolean }
  | { readonly kind: "stop" };

/** Any answer of the core to a question. */
export type PlainAnswer = string | Uint8Array | bigint | undefined;

/** The answer to a call, tagged like the call. */
export type EngineAnswer =
  | { readonly kind: "ask"; readonly value: PlainAnswer }
  | { readonly kind: "template"; readonly value: BuiltTemplate }
  | { readonly kind: "block"; readonly value: InsertOutcome }
  | { readonly kind: "headers"; readonly value: readonly InsertOutcome[] }
  | { readonly kind: "import"; readonly value: PlainImportAnswer }
  | { readonly kind: "check"; readonly value: TxCheck }
  | { readonly kind: "group" | "stop" };

/** Messages to the engine's thread. */
export type EngineRequest =
  | { readonly id: number; readonly call: EngineCall }
  | { readonly verdict: Verdict }
  /** A proof that was asked for and could not be judged. */
  | { readonly unjudged: Omit<Verdict, "valid"> };

/** A verification job for the main thread: a transaction whose proof is to be judged, with all a verifier needs. */
export type ProofJob = {
  readonly txid: string;
  /** Form of the bundle: 0 plain, 1 with a named anchor block. A verdict holds for this form alone. */
  readonly format: number;
  readonly raw: Uint8Array;
};

/** Messages from the engine's thread. */
export type EngineReport =
  /** The store is open; `migrated` are the titles of the steps that brought it to this build's layout. */
  | { readonly kind: "opened"; readonly migrated: readonly string[] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: EngineAnswer }
  | { readonly kind: "refused"; readonly id: number; readonly error: ErrorJson }
  | { readonly kind: "events"; readonly events: readonly EngineEvent[] }
  | { readonly kind: "jobs"; readonly jobs: readonly ProofJob[] }
  /** Nothing is pruned any more until the next start: the store is whole, and grows. */
  | { readonly kind: "unpruned"; readonly error: ErrorJson }
  /** The instance is lost: its memory cannot be trusted any more. The thread ends after this. */
  | { readonly kind: "failed"; readonly error: ErrorJson };
