/**
 * The public REST interface at the edge (specification service, Public REST): the rows of its table below `/api`, with the bytes of a node.
 * Beside them the edge answers for its own health.
 */
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { bodyOf, jsonOf } from "@svc/shared/gateway/contractCall.ts";
import { DOCUMENT_PATH } from "@svc/shared/protocol/contract/openApi.ts";
import { restDocument, REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import { csvOf, CSV_SUFFIX, isCsvRow } from "@svc/shared/protocol/rest/restCsv.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { etagOf } from "../answers/etagOf.ts";
import { restCall, type RestCall } from "../answers/restCall.ts";
import type { RelayedAnswer } from "../origin/relay.ts";
import type { EdgeHealth } from "./edgeHealth.ts";
import type { FacadeRequest, RestFacade } from "./restFacade.ts";
import {
  OPEN_HEADERS,
  preflightResponse,
  restRefusal,
  restResponse,
  tellVisitor,
} from "./restResponse.ts";
import type { VisitorRates } from "./visitorRates.ts";

/** Dependencies of the routes. */
export type RestRoutesParts = {
  readonly facade: Pick<RestFacade, "answer">;
  readonly rates: VisitorRates;
  readonly health: EdgeHealth;
  /** Where a request comes from. */
  readonly callerOf: (c: Context) => string;
  /** Unix ms. */
  readonly now: () => number;
  /** Hears of defects. */
  readonly onError: (error: SvcError) => void;
};

/** Makes the routes. */
export function restRoutes(parts: RestRoutesParts): Hono {
  const app = new Hono();
  const document = JSON.stringify(restDocument());
  app.onError((thrown) => {
    const error = SvcError.from(thrown);
    parts.onError(error);
    return restRefusal(error);
  });
  app.options("*", () => preflightResponse());
  app.use("*", inShare(parts));
  app.get(DOCUMENT_PATH, () => openJson(document, "no-cache"));
  app.get("/health", async (c) => healthResponse(c, parts));
  app.all("*", async (c) => serve(c, parts));
  return app;
}

/** Keeps each visitor to his calls in a minute, and tells what is left of them. */
export function inShare({
  rates,
  callerOf,
}: Pick<RestRoutesParts, "rates" | "callerOf">): MiddlewareHandler {
  return async (c, next) => {
    const share = rates.take(callerOf(c), kindOf(c));
    if (share.waitS === null) await next();
    else c.res = restRefusal(new SvcError("http/too-many-requests", { retryAfter: share.waitS }));
    tellVisitor(c.res, share);
  };
}

function kindOf(c: Context): "read" | "search" {
  return c.req.method === "POST" ? "search" : "read";
}

async function healthResponse(c: Context, { health }: RestRoutesParts): Promise<Response> {
  const report = await health.report();
  if (c.req.query("verbose") === "1")
    return openJson(JSON.stringify(report), "no-store", report.isHealthy ? 200 : 503);
  if (!report.isHealthy) throw new SvcError("http/unavailable", { reason: report.reason });
  const headers = { ...OPEN_HEADERS, "Content-Type": TEXT, "Cache-Control": "no-store" };
  return new Response("ok", { headers });
}

const TEXT = "text/plain; charset=UTF-8";
const CSV = "text/csv; charset=utf-8";

async function serve(c: Context, parts: RestRoutesParts): Promise<Response> {
  const { facade, now } = parts;
  const url = new URL(c.req.url);
  const path = url.pathname.slice(REST_PLACE.length);
  const isCsv = path.endsWith(CSV_SUFFIX);
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const body =
    method === "POST" ? jsonOf(c, await bodyOf(c, EXPLORER_LIMITS.bodyBytes)) : undefined;
  const base = isCsv ? path.slice(0, -CSV_SUFFIX.length) : path;
  const call = await restCall({ method, path: base, search: url.searchParams, body });
  if (isCsv && !isCsvRow(call.name)) {
    throw new SvcError("http/not-found", { path: url.pathname.slice(0, SHOWN) });
  }
  const relayed = await facade.answer(call, requestOf(c, parts));
  const shown = isCsv ? await twinOf(call, relayed) : relayed;
  return restResponse({ relayed: shown, request: c.req.raw, nowMs: now() });
}

const SHOWN = 80;

/** What a request brings to the facade. */
export function requestOf(
  c: Context,
  { rates, callerOf }: Pick<RestRoutesParts, "rates" | "callerOf">,
): FacadeRequest {
  return {
    later: (work) => c.executionCtx.waitUntil(work),
    admit: () => rates.admit(callerOf(c)),
  };
}

/** The CSV of a document, as a node makes it. */
async function twinOf({ name }: RestCall, relayed: RelayedAnswer): Promise<RelayedAnswer> {
  const { answer } = relayed;
  if (answer.status !== 200 || !isCsvRow(name)) return relayed;
  const text = csvOf(name, new TextDecoder().decode(answer.bytes));
  const bytes = new TextEncoder().encode(text);
  const etag = await etagOf(bytes);
  return { ...relayed, answer: { ...answer, bytes, etag, type: CSV } };
}

function openJson(body: string, cacheControl: string, status = 200): Response {
  const headers = {
    ...OPEN_HEADERS,
    ...{ "Content-Type": "application/json", "Cache-Control": cacheControl },
  };
  return new Response(body, { status, headers });
}
