/** Checks an answer of a node against the row that was asked for. A node's word is no fact: what has another form is not kept. */
import * as v from "valibot";
import { isCode, SvcError } from "@svc/shared/base/svcError.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { contractOf, type RestCall } from "./restCall.ts";

/** What a node sent. */
export type SentAnswer = { readonly type: string; readonly bytes: Uint8Array };

const JSON_TYPE = /^application\/json *(?:;|$)/i;
const TEXT_TYPE = /^text\/plain *(?:;|$)/i;
const CSV_TYPE = /^text\/csv *(?:;|$)/i;
const BYTES_TYPE = /^application\/octet-stream *(?:;|$)/i;

/** Fields under which a document repeats the hash that was asked for. */
const NAMING_FIELDS: readonly string[] = ["block_hash", "transaction_id"];
const HASH = /^[0-9a-f]{64}$/;

const refusal = v.object({ error: v.string(), code: v.pipe(v.string(), v.check(isCode)) });

/** Throws `codec/bad-json` for an answer that is not what its row says. */
export function checkAnswer(call: RestCall, { type, bytes }: SentAnswer): void {
  const contract = contractOf(call.name);
  if (!typeOf(contract).test(type)) throw wrong("type");
  if (contract.isBinary === true) return;
  const value = isText(contract) ? textOf(bytes) : jsonOf(bytes);
  if (!v.is(contract.answer, value)) throw wrong("fields");
  const asked = call.path.split(/[/?]/).filter((word) => HASH.test(word));
  const named = namesIn(value);
  if (named.some((name) => !asked.includes(name)) && asked.length > 0) throw wrong("subject");
}

/** Checks a refusal, such as 404: a sentence and a code. Throws `codec/bad-json`. */
export function checkRefusal({ type, bytes }: SentAnswer): void {
  if (!JSON_TYPE.test(type)) throw wrong("type");
  if (!v.is(refusal, jsonOf(bytes))) throw wrong("fields");
}

function typeOf(contract: RouteContract): RegExp {
  if (contract.isBinary === true) return BYTES_TYPE;
  if (contract.isCsv === true) return CSV_TYPE;
  return contract.isText === true ? TEXT_TYPE : JSON_TYPE;
}

function isText({ isText: isPlain, isCsv }: RouteContract): boolean {
  return isPlain === true || isCsv === true;
}

/** Hashes under which a document says what it is about. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return NAMING_FIELDS.flatMap((name) => {
    const word: unknown = Reflect.get(value, name);
    return typeof word === "string" && HASH.test(word) ? [word] : [];
  });
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    throw new SvcError("codec/bad-utf8", {}, error);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: "a node's answer" }, error);
  }
}

function wrong(reason: string): SvcError {
  return new SvcError("codec/bad-json", { reason: `a node's answer: its ${reason}` });
}
