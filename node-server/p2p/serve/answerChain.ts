/** Answers peers' requests for blocks and headers, as encoded messages (specification network 1.6, 1.8). */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { blockMessage, headerMessages } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import type { P2pHashes } from "@svc/shared/protocol/p2p/generated/p2pMessages.ts";
import type { P2pBlockHeader } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { historyChunkMessage } from "@svc/shared/protocol/p2p/p2pHistory.ts";
import type { BlockForm, ChainQuestion, ServedPage } from "./serveMessages.ts";
import { pageOf } from "./servedPage.ts";
import type { Question, QuestionAnswer, QuestionArgs } from "../../engine/calls/engineQuestions.ts";

/** Dependencies of the answers: where the data come from. */
export type ChainSource = {
  /** Asks the core. One answer is made of questions that see one state of the store, or fails. */
  readonly ask: <Q extends Question>(
    question: Q,
    args: QuestionArgs<Q>,
  ) => Promise<QuestionAnswer<Q>>;
  /** Scan records from a number in the chain downwards, `u32 length, record` each. */
  readonly history: (top: bigint, limit: number) => Promise<Uint8Array>;
};

const HASH_LENGTH = 32;
const DONE_HEADERS: P2pPayload = { $case: "doneHeaders", value: {} };

/** Answers one request. Errors: the core's, among them `chain/unknown-block` and `chain/pruned`. */
export async function answerChain(
  source: ChainSource,
  question: ChainQuestion,
): Promise<ServedPage> {
  switch (question.kind) {
    case "blocks":
      return blocksPage(source, question.form, question.hashes);
    case "headers":
      return headersPage(source, question.low, question.high);
    case "antipast":
      return antipastPage(source, question.block, question.context);
    case "chainLocator": {
      const hashes = await source.ask("chainLocator", [question.low, question.high]);
      return pageOf([{ $case: "ibdChainBlockLocator", value: hashesMessage(hashes) }], null);
    }
    case "blockLocator": {
      const hashes = await source.ask("blockLocator", [question.high, question.limit]);
      return pageOf([{ $case: "blockLocator", value: hashesMessage(hashes) }], null);
    }
    case "history":
      return historyPage(source, question.anchor, question.maxBlocks);
    case "log": {
      const { base, count, first } = question;
      const page = (await source.ask("logPage", [base, count, first])) ?? new Uint8Array();
      return pageOf([{ $case: "anchorLogPage", value: { page } }], null);
    }
  }
}

async function blocksPage(
  { ask }: ChainSource,
  form: BlockForm,
  hashes: Uint8Array,
): Promise<ServedPage> {
  const asked = hashes.subarray(0, P2P_LIMITS.p2pServedBlocks * HASH_LENGTH);
  const reader = new ByteReader(asked.length === 0 ? asked : await ask("blocksOf", [asked]));
  const payloads: P2pPayload[] = [];
  while (reader.remaining > 0) payloads.push(blockPayload(form, reader.block()));
  const answered = payloads.length * HASH_LENGTH;
  if (payloads.length === 0 && hashes.length > 0) {
    const hash = encodeHex(hashes.subarray(0, HASH_LENGTH));
    throw new SvcError("chain/unknown-block", { hash });
  }
  return pageOf(payloads, answered < hashes.length ? String(payloads.length) : null);
}

function blockPayload(form: BlockForm, raw: Uint8Array): P2pPayload {
  const value = blockMessage(raw);
  if (form !== "blockBody") return { $case: form, value };
  return { $case: form, value: { transactions: value.transactions } };
}

/** Headers of a page, and the hash of the last. */
type HeadersFound = { readonly headers: P2pBlockHeader[]; readonly last: string | null };

async function headersBetween(
  { ask }: ChainSource,
  low: string,
  high: string,
  limit: number,
): Promise<HeadersFound> {
  const hashes = await ask("hashesBetween", [low, high, limit]);
  if (hashes.length === 0) return { headers: [], last: null };
  const headers = headerMessages(await ask("headersOf", [hashes]));
  const end = headers.length * HASH_LENGTH;
  return { headers, last: encodeHex(hashes.subarray(end - HASH_LENGTH, end)) };
}

async function headersPage(source: ChainSource, low: string, high: string): Promise<ServedPage> {
  const { headers, last } = await headersBetween(source, low, high, P2P_LIMITS.p2pServedHeaders);
  if (last === null) return pageOf([DONE_HEADERS], null);
  return pageOf([{ $case: "blockHeaders", value: { blockHeaders: headers } }], last);
}

async function antipastPage(
  source: ChainSource,
  block: string,
  context: string,
): Promise<ServedPage> {
  const { headers } = await headersBetween(source, block, context, P2P_LIMITS.p2pServedAntipast);
  if (headers.length === 0) return pageOf([DONE_HEADERS], null);
  const page: P2pPayload = { $case: "blockHeaders", value: { blockHeaders: headers } };
  return pageOf([page, DONE_HEADERS], null);
}

/** A block that is not on the chain has no records above or below it. */
async function historyPage(
  { ask, history }: ChainSource,
  anchor: string,
  maxBlocks: number,
): Promise<ServedPage> {
  const top = await ask("chainIndexOf", [anchor]);
  const limit = Math.min(Math.max(maxBlocks, 1), P2P_LIMITS.p2pServedRecords);
  const records = top === undefined ? new Uint8Array() : await history(top, limit);
  const value =
    records.length === 0
      ? { entries: [], done: false, anchorIndex: 0n }
      : historyChunkMessage(records, top ?? 0n);
  return pageOf([{ $case: "shieldedHistoryChunk", value }], null);
}

function hashesMessage(bytes: Uint8Array): P2pHashes {
  const length = Math.floor(bytes.length / HASH_LENGTH);
  const hashes = Array.from({ length }, (_, at) => ({
    bytes: bytes.subarray(at * HASH_LENGTH, (at + 1) * HASH_LENGTH),
  }));
  return { hashes };
}
