/**
 * Parses a node's answers: those of the browser protocol (formats 4), and the same facts from another carrier as values. Checked
 * values come out.
 */
import * as v from "valibot";
import type { TxId } from "../../base/brand.ts";
import type { Code } from "../../base/generated/codes.ts";
import { decodeHex } from "../../base/hex.ts";
import { isCode, SvcError } from "../../base/svcError.ts";
import { fields } from "../../base/fields.ts";
import { factsReader, valueReader } from "../../protocol/facts/readFacts.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { NodeTip, StartBlock } from "../state/ports.ts";

const tip = v.object({
  genesis: fields.blockHash,
  profileDigest: v.string(),
  sink: fields.blockHash,
  sinkBlueScore: fields.blueScore,
  daaScore: fields.daaScore,
  chainIndex: fields.chainIndex,
  treeSize: fields.leafPosition,
  treeRoot: fields.anchor,
  historyFromDaaScore: fields.daaScore,
  historyComplete: v.boolean(),
  network: v.optional(v.string()),
  sinkTimestamp: v.optional(fields.timestampMs),
});
const start = v.object({
  hash: fields.blockHash,
  chainIndex: fields.chainIndex,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestamp: fields.timestampMs,
  tree: fields.hex,
});
const submitted = v.object({ txid: fields.txId });
const tipText = factsReader(tip, "tip");
const startText = factsReader(start, "start");
const submittedText = factsReader(submitted, "submitted transaction");
const startValue = valueReader(start, "start");
const submittedValue = valueReader(submitted, "submitted transaction");

/** Parses `/v1/tip` as far as a wallet looks at it. Throws `codec/bad-json`. */
export function readTip(answer: Uint8Array): NodeTip {
  return tipText(decodeText(answer));
}

/** The same facts as a value; numbers are decimal text. Throws `codec/bad-json`. */
export const tipOf: (value: unknown) => NodeTip = valueReader(tip, "tip");

/** Parses `/v1/start`. Throws `codec/bad-json`. */
export function readStart(answer: Uint8Array): StartBlock {
  return withTree(startText(decodeText(answer)));
}

/** The same facts as a value; numbers are decimal text, the tree is hex. Throws `codec/bad-json`. */
export function startOf(value: unknown): StartBlock {
  return withTree(startValue(value));
}

function withTree({ tree, ...place }: v.InferOutput<typeof start>): StartBlock {
  return { ...place, tree: decodeHex(tree) };
}

/** Parses `/v1/tx`. Throws `codec/bad-json`. */
export function readSubmitted(answer: Uint8Array): TxId {
  return submittedText(decodeText(answer)).txid;
}

/** The same fact as a value. Throws `codec/bad-json`. */
export function submittedOf(value: unknown): TxId {
  return submittedValue(value).txid;
}

/** A kind of request to a node, by its name. */
export type NodeQuestion =
  | "tip"
  | "profile"
  | "blocks"
  | "start"
  | "evidence"
  | "submit"
  | "rows"
  | "pool"
  | "miner";

/** What a node may answer to anything when it is too busy, or has nothing of the kind. */
const ALWAYS: readonly Code[] = [
  "engine/restarted",
  "http/forbidden",
  "http/foreign-host",
  "http/foreign-origin",
  "http/not-found",
  "http/timeout",
  "http/too-many-connections",
  "http/too-many-requests",
  "http/unavailable",
  "node/stopping",
  "queue/full",
  "queue/too-fast",
];

/** What else it may answer to each question. */
const ALLOWED: { readonly [Q in NodeQuestion]: ReadonlySet<Code> } = {
  tip: new Set<Code>(ALWAYS),
  profile: new Set<Code>(ALWAYS),
  blocks: new Set<Code>([
    ...ALWAYS,
    "chain/not-on-chain",
    "chain/unknown-block",
    "chain/pruned",
    "engine/not-imported",
  ]),
  start: new Set<Code>([...ALWAYS, "chain/unknown-block", "chain/pruned", "engine/not-imported"]),
  evidence: new Set<Code>([
    ...ALWAYS,
    "chain/unknown-block",
    "chain/pruned",
    "engine/not-imported",
    "evidence/not-member",
  ]),
  submit: new Set<Code>(ALWAYS),
  rows: new Set<Code>([...ALWAYS, "chain/unknown-block", "chain/pruned"]),
  pool: new Set<Code>(ALWAYS),
  miner: new Set<Code>([...ALWAYS, "http/bad-request"]),
};

/** Areas of the verdicts on a payment, and of an address for the local miner. */
const AREAS: { readonly [Q in NodeQuestion]?: readonly string[] } = {
  submit: ["codec/", "mass/", "mempool/", "shielded/", "tx/"],
  miner: ["address/"],
};

/**
 * Parses an error answer: its code and data fields lie beside the sentence. A code counts only where a node has a reason to
 * give it: any other, such as one by which this program speaks to itself, becomes `http/unavailable`.
 */
export function readNodeError(
  question: NodeQuestion,
  status: number,
  answer: Uint8Array,
): SvcError {
  return readNodeFault(question, decodeText(answer), `status ${status}`);
}

/** The same of its JSON alone; undefined where there is none. `otherwise` is the reason told where no code counts. */
export function readNodeFault(
  question: NodeQuestion,
  json: string | undefined,
  otherwise: string,
): SvcError {
  const isRead = json !== undefined && json.length <= WALLET_LIMITS.nodeErrorChars;
  const body = isRead ? parseJson(json) : undefined;
  if (typeof body === "object" && body !== null && "code" in body) {
    const { code, error: _, ...data } = { error: "", ...body };
    if (typeof code === "string" && isCode(code) && isAllowed(question, code)) {
      return SvcError.fromJson({ code, data });
    }
  }
  return new SvcError("http/unavailable", { reason: otherwise });
}

function isAllowed(question: NodeQuestion, code: Code): boolean {
  if (ALLOWED[question].has(code)) return true;
  return AREAS[question]?.some((area) => code.startsWith(area)) ?? false;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
