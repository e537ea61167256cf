/** HTTP responses of the public REST interface at the edge: the node's bytes, and the headers that say how old they are. */
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import { shareHeaders, type CallShare } from "@svc/shared/base/callShare.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { isoTime } from "../../platform/edgeClock.ts";
import type { RelayedAnswer } from "../origin/relay.ts";

/** Headers of every answer: any page may read it, no browser runs anything of it, nobody is told where the visitor was. */
export const OPEN_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Age, ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-As-Of, X-Stale",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const MS = 1_000;
const DAY_S = "86400";
const UNAVAILABLE = 503;

/** What a response is made from. */
export type RestResponseParts = {
  readonly relayed: RelayedAnswer;
  readonly request: Request;
  readonly nowMs: number;
};

/** The response to a call that was answered. */
export function restResponse({ relayed, request, nowMs }: RestResponseParts): Response {
  const { answer, isLast } = relayed;
  const headers: Record<string, string> = {
    ...OPEN_HEADERS,
    "Content-Type": answer.type,
    "Cache-Control": isLast ? "no-cache" : answer.cacheControl,
    Age: String(Math.max(0, Math.floor((nowMs - answer.asOfMs) / MS))),
    "X-As-Of": isoTime(answer.asOfMs),
  };
  if (isLast) Object.assign(headers, { Warning: '110 - "Response is Stale"', "X-Stale": "1" });
  if (answer.status !== 200) return bodyOf(answer.status, answer.bytes, { headers, request });
  headers["ETag"] = answer.etag;
  if (isNamed(request.headers.get("If-None-Match"), answer.etag)) {
    const { "Content-Type": _, ...kept } = headers;
    return new Response(null, { status: 304, headers: kept });
  }
  return bodyOf(200, answer.bytes, { headers, request });
}

/** The response to a call that was refused. */
export function restRefusal(error: SvcError): Response {
  const { status, body } = httpErrorOf(error);
  const headers: Record<string, string> = {
    ...{ ...OPEN_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store" },
  };
  const { retryAfter, allowed } = error.data;
  if (retryAfter !== undefined) headers["Retry-After"] = retryAfter;
  else if (status === UNAVAILABLE) headers["Retry-After"] = String(EXPLORER_LIMITS.retryS);
  if (error.code === "api/wrong-method") headers["Allow"] = allowed ?? "GET";
  return new Response(JSON.stringify(body), { status, headers });
}

/** The response to a browser that asks whether a page of another origin may send a call. */
export function preflightResponse(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...OPEN_HEADERS,
      "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
      "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
      "Access-Control-Max-Age": DAY_S,
    },
  });
}

/** Writes into a response what is left of its visitor's share. */
export function tellVisitor(response: Response, share: CallShare): void {
  for (const [name, value] of Object.entries(shareHeaders(share))) {
    response.headers.set(name, value);
  }
}

function bodyOf(
  status: number,
  bytes: Uint8Array,
  { headers, request }: { readonly headers: Record<string, string>; readonly request: Request },
): Response {
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers });
}

function isNamed(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((tag) => tag === etag);
}
