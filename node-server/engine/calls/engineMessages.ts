/** Messages between the main thread and the engine's thread: calls, answers and events. Plain data, cloned on the way. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PlainAnswer, Question } from "./engineQuestions.ts";
import type { EngineEvent, InsertOutcome, TemplateRejection, TxCheck } from "./engineFacts.ts";
import type { ImportCall, PlainImportAnswer } from "./importCalls.ts";

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
  | { readonly kind: "check"; readonly raw: Uint8Array }
  | { readonly kind: "group"; readonly on: boolean }
  | { readonly kind: "stop" };

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
