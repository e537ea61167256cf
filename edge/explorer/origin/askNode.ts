/** Asks one node, within a time and a size, and believes nothing that its row does not say. */
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { believedCacheControl } from "../answers/believedCacheControl.ts";
import { checkAnswer, checkRefusal, type SentAnswer } from "../answers/checkAnswer.ts";
import { etagOf } from "../answers/etagOf.ts";
import type { KeptAnswer } from "../answers/keptAnswer.ts";
import { contractOf, type RestCall } from "../answers/restCall.ts";
import type { OriginNode } from "./nodeList.ts";

/** Asks; `before` is what the same call answered earlier, so that an answer that has not changed is not sent again. */
export type AskedNode = {
  readonly call: RestCall;
  readonly before: KeptAnswer | null;
  readonly nowMs: number;
};

/** What a node said: an answer, that it has none now, or something that its row does not say. */
export type NodeWord =
  | { readonly kind: "answer"; readonly answer: KeptAnswer }
  | { readonly kind: "none" | "false"; readonly reason: string };

const OK = 200;
const NOT_MODIFIED = 304;
/** Refusals that the node is sure of: they are about the call, not about the node. */
const SURE: ReadonlySet<number> = new Set([400, 404, 410, 422]);
/** Refusals that say nothing of the call: the node is busy, or cannot answer now. */
const NOT_NOW: ReadonlySet<number> = new Set([429, 503]);
/** Characters of a node's reason that are passed on. */
const REASON = /^[\w ,.:;'()-]{1,120}$/;

/** Resolves with its word. Rejects with `http/unavailable` where it is not reached, or does not answer in time. */
export async function askNode(node: OriginNode, asked: AskedNode): Promise<NodeWord> {
  const signal = AbortSignal.timeout(EXPLORER_LIMITS.originAnswerMs);
  try {
    return await wordOf(await send(node, asked, signal), asked);
  } catch (thrown) {
    const reason = signal.aborted ? "a node did not answer in time" : "a node was not reached";
    if (SvcError.is(thrown, ...FALSE)) return { kind: "false", reason: "a node is not believed" };
    throw new SvcError("http/unavailable", { reason }, thrown);
  }
}

/** What reading an answer may find wrong with it. */
const FALSE = ["codec/count-too-large", "codec/bad-json", "codec/bad-utf8"] as const;

function send(
  node: OriginNode,
  { call, before }: AskedNode,
  signal: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ Accept: "*/*" });
  if (before?.status === OK) headers.set("If-None-Match", before.etag);
  if (call.body !== null) headers.set("Content-Type", "application/json");
  node.token?.reveal((bytes) => {
    headers.set("Authorization", `Bearer ${new TextDecoder().decode(bytes)}`);
  });
  return fetch(`${node.url}${REST_PLACE}${call.path}`, {
    method: contractOf(call.name).method,
    ...{ headers, body: call.body, signal },
    redirect: "manual",
  });
}

async function wordOf(response: Response, { call, before, nowMs }: AskedNode): Promise<NodeWord> {
  const { status, headers } = response;
  const told = headers.get("Cache-Control") ?? "no-store";
  if (status === NOT_MODIFIED && before?.status === OK) {
    const cacheControl = believedCacheControl(call, { ...before, cacheControl: told });
    return { kind: "answer", answer: { ...before, cacheControl, asOfMs: nowMs } };
  }
  const type = headers.get("Content-Type") ?? "";
  const most =
    status === OK ? EXPLORER_LIMITS.originAnswerBytes : EXPLORER_LIMITS.originRefusalBytes;
  const sent = await sentBy(response, type, most);
  if (status === OK) checkAnswer(call, sent);
  else checkRefusal(sent);
  if (NOT_NOW.has(status)) return { kind: "none", reason: reasonIn(sent) };
  if (status !== OK && !SURE.has(status)) return { kind: "false", reason: "a node failed" };
  const etag = await etagOf(sent.bytes);
  const cacheControl = believedCacheControl(call, { ...sent, status, cacheControl: told });
  return { kind: "answer", answer: { status, ...sent, cacheControl, etag, asOfMs: nowMs } };
}

/** What a node that cannot answer says of it. */
function reasonIn({ bytes }: SentAnswer): string {
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const reason: unknown = Reflect.get(Object(body), "reason");
  const isShown = typeof reason === "string" && REASON.test(reason);
  return isShown ? reason : "the node cannot answer now";
}

async function sentBy(response: Response, type: string, most: number): Promise<SentAnswer> {
  return { type, bytes: await bodyWithin(response, most) };
}
