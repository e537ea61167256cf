/**
 * Table of the questions that engine and readers answer (docs/formats.md 3.8): one row each, with the forms of the answer and
 * its parser. A question without a row does not compile.
 */
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { readBeginningFacts } from "@svc/shared/protocol/facts/beginningFacts.ts";
import { BLOCK_STATUSES, readBlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readEvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import {
  readBlockHashes,
  readChainFacts,
  readChainPlace,
  readVirtualChain,
} from "@svc/shared/protocol/facts/chainFacts.ts";
import { wordReader } from "@svc/shared/protocol/facts/readFacts.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import { readAcceptanceProof, readSupplyProof } from "@svc/shared/protocol/facts/checkProofs.ts";
import { readTipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";

/** A question that engine and readers answer, by the name of the call. */
export type Question = Exclude<keyof RawReader, "free">;
/** The arguments of a question. */
export type QuestionArgs<Q extends Question> = Parameters<RawReader[Q]>;
/** The answer to a question, as the core gives it. */
export type QuestionAnswer<Q extends Question> = ReturnType<RawReader[Q]>;
/** Any answer of the core to a question. */
export type PlainAnswer = string | Uint8Array | bigint | undefined;

/** The forms an answer may have. */
type AnswerForm = "text" | "bytes" | "number" | "absent";

/** A row of the table: the forms of the answer, and its parser. */
type Row<Q extends Question> = {
  readonly forms: readonly AnswerForm[];
  readonly read: (answer: QuestionAnswer<Q>) => QuestionFacts<Q>;
};

const bytes = { forms: ["bytes"], read: (answer: Uint8Array) => answer } as const;
const bytesOrNone = {
  forms: ["bytes", "absent"],
  read: (answer: Uint8Array | undefined) => answer,
} as const;
const numberOrNone = {
  forms: ["number", "absent"],
  read: (answer: bigint | undefined) => answer,
} as const;

function text<T>(read: (answer: string) => T) {
  return { forms: ["text"], read } as const;
}

function textOrNone<T>(read: (answer: string) => T) {
  const readAny = (answer: string | undefined) => (answer === undefined ? answer : read(answer));
  return { forms: ["text", "absent"], read: readAny } as const;
}

const readHash = wordReader(fields.blockHash, "block hash");
const readStage = wordReader(v.picklist([...BLOCK_STATUSES, "pruned"]), "block stage");
const readAncestry = wordReader(v.picklist(["same", "chain", "past", "none"]), "ancestry");

/** One row for each question. */
const ROWS = {
  tip: text(readTipFacts),
  blockBytes: bytesOrNone,
  transactionBytes: bytesOrNone,
  blockFacts: textOrNone(readBlockFacts),
  chainHashAt: textOrNone(readHash),
  chainIndexOf: numberOrNone,
  chainFacts: textOrNone(readChainFacts),
  records: bytes,
  recordOf: bytes,
  locate: text(readChainPlace),
  treeState: bytes,
  shieldedFacts: text(readShieldedFacts),
  acceptanceProof: text(readAcceptanceProof),
  supplyProof: text(readSupplyProof),
  evidenceTip: text(readEvidenceTipFacts),
  evidenceOpening: bytes,
  evidenceMembership: bytes,
  evidenceRun: bytes,
  logPage: bytesOrNone,
  evidencePayload: bytes,
  anchors: bytes,
  blocksFrom: text(readBlockHashes),
  virtualChainFrom: text(readVirtualChain),
  storedRecord: bytesOrNone,
  storedKeys: bytes,
  selfCheck: bytesOrNone,
  blockStage: textOrNone(readStage),
  chainLocator: bytes,
  blockLocator: bytes,
  hashesBetween: bytes,
  headersBetween: bytes,
  bodiesMissing: bytes,
  headersOf: bytes,
  blocksOf: bytes,
  pruningPoints: bytes,
  beginning: text(readBeginningFacts),
  ancestry: text(readAncestry),
} as const;

/** The answer to a question as a checked value; undefined where there is none. */
export type QuestionFacts<Q extends Question> = ReturnType<(typeof ROWS)[Q]["read"]>;

const ENGINE_QUESTIONS: { readonly [Q in Question]: Row<Q> } = ROWS;

/** All questions. */
export const QUESTION_NAMES: readonly string[] = Object.keys(ENGINE_QUESTIONS);

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
  return ENGINE_QUESTIONS[question].forms.includes(formOf(value));
}

/** Reads an answer. Throws `codec/bad-json`. */
export function readAnswer<Q extends Question>(
  question: Q,
  answer: QuestionAnswer<Q>,
): QuestionFacts<Q> {
  return ENGINE_QUESTIONS[question].read(answer);
}

/** Makes the call that a question is. Throws the core's errors as it throws them, and `engine/bad-call`. */
export function takeQuestion(
  core: Pick<RawReader, Question>,
  question: Question,
  args: readonly unknown[],
): PlainAnswer {
  const method: unknown = Reflect.get(core, question);
  if (typeof method !== "function" || !(question in ENGINE_QUESTIONS)) {
    throw new SvcError("engine/bad-call", { reason: `no question ${question}` });
  }
  const answer: unknown = Reflect.apply(method, core, args);
  const plain = typeof answer === "string" || typeof answer === "bigint" || answer === undefined;
  if (plain || answer instanceof Uint8Array) return answer;
  throw new SvcError("engine/bad-call", { reason: `${question} answered ${typeof answer}` });
}
