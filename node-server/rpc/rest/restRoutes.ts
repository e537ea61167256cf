/** The public REST interface of a node, below `/api` (specification service, Public REST): reads alone, from the table of its rows. */
import { Hono, type Context } from "hono";
import { etag } from "hono/etag";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { DOCUMENT_PATH } from "@svc/shared/protocol/contract/openApi.ts";
import { queryRecord } from "@svc/shared/protocol/contract/queryRecord.ts";
import { jsonOfBody, readPart } from "@svc/shared/protocol/contract/requestParts.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { restDocument } from "@svc/shared/protocol/rest/openApi.ts";
import { MISSING_CACHE_CONTROL, restCacheControl } from "@svc/shared/protocol/rest/restCache.ts";
import { csvOf, CSV_SUFFIX, isCsvRow } from "@svc/shared/protocol/rest/restCsv.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { bodyAtMost } from "../../platform/http/bodyAtMost.ts";
import { CLOSED_HEADERS } from "../../platform/http/closedHeaders.ts";
import { errorAnswer, errorParts } from "../../platform/http/errorAnswer.ts";
import {
  openToAll,
  openToCaller,
  type HttpEnv,
  type HttpRoutes,
} from "../../platform/http/httpEnv.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { countCall } from "./call/countCall.ts";
import { DeepAnswer, MissingAnswer } from "./call/restCall.ts";
import { REST_HANDLERS } from "./restHandlers.ts";
import type { RestRates } from "./call/restRates.ts";
import type { RestSession } from "./call/restSession.ts";
import { withinRow } from "./call/withinRow.ts";

/** Does work when the turn of its host comes. */
export type Turn = <T>(host: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Dependencies of the routes. */
export type RestParts = {
  readonly node: NodeApi;
  readonly session: RestSession;
  /** Keeps each host to its share of the engine; health is answered without a turn. */
  readonly turn: Turn;
  /** Counts calls where everybody may ask, from every page; null where only this server's own callers may. */
  readonly rates: RestRates | null;
  /** Measures the deadlines of calls. */
  readonly clock: Pick<Clock, "sleep">;
  /** Hears of every error that is answered, defects among them. */
  readonly onError: (error: SvcError) => void;
};

/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** Seconds after which it is worth asking again what cannot be answered now. */
const RETRY_S = "10";
/** Seconds for which a browser need not ask again whether it may ask. */
const PREFLIGHT_S = "86400";

const READ_METHODS = "GET, HEAD, OPTIONS";
const EXPOSED = [
  ...["ETag", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
  "Retry-After",
];

/** The names of the rows. */
const ROW_NAMES = Object.keys(REST_ROUTES).filter(
  (name): name is RestRouteName => name in REST_ROUTES,
);

/** Makes the routes. Errors are answered with the registry's status, sentence and code. */
export function restRoutes(parts: RestParts): HttpRoutes {
  const { rates, onError } = parts;
  const app = new Hono<HttpEnv>();
  app.onError((thrown, c) => {
    onError(SvcError.from(thrown));
    return errorAnswer(c, thrown);
  });
  app.use("*", rates === null ? openToCaller : openToAll(EXPOSED), etag(), async (c, next) => {
    await next();
    if (c.res.status === 503 && !c.res.headers.has("Retry-After")) c.header("Retry-After", RETRY_S);
  });
  app.options("*", (c) => preflight(c, rates !== null));
  if (rates !== null) {
    app.use("*", async (c, next) => {
      countCall(c, rates);
      await next();
    });
  }
  for (const name of ROW_NAMES) addRow(app, name, parts);
  let document: string | null = null;
  app.get(DOCUMENT_PATH, (c) => {
    // Made once, when it is asked for: that takes longer than many answers.
    document ??= JSON.stringify(restDocument());
    return c.body(document, 200, headersOf("application/json", "no-cache"));
  });
  addRefusals(app);
  return app;
}

/** Pages of other origins may ask where everybody may, or where the operator has named them. */
function preflight(c: Context<HttpEnv>, isOpen: boolean): Response {
  if (isOpen || c.env.caller.origin !== null) {
    c.header("Access-Control-Allow-Methods", `${READ_METHODS}, POST`);
    c.header("Access-Control-Allow-Headers", "Content-Type, If-None-Match");
    c.header("Access-Control-Max-Age", PREFLIGHT_S);
  }
  return c.body(null, 204);
}

function addRow(app: HttpRoutes, name: RestRouteName, parts: RestParts): void {
  const { method, path }: RouteContract = REST_ROUTES[name];
  if (REST_HANDLERS[name] === undefined) return;
  const served = (c: Context<HttpEnv>): Promise<Response> => serve(c, name, parts, false);
  if (method === "GET") app.get(patternOf(path), served);
  else app.post(patternOf(path), served);
  if (isCsvRow(name)) app.get(`${path}${CSV_SUFFIX}`, (c) => serve(c, name, parts, true));
}

/** A method that a path does not take, and a path that is none. */
function addRefusals(app: HttpRoutes): void {
  for (const name of ROW_NAMES) {
    const { method, path }: RouteContract = REST_ROUTES[name];
    if (REST_HANDLERS[name] === undefined) continue;
    const allowed = method === "GET" ? READ_METHODS : `${method}, OPTIONS`;
    for (const one of isCsvRow(name) ? [path, `${path}${CSV_SUFFIX}`] : [path]) {
      app.all(patternOf(one), (c) => {
        c.header("Allow", allowed);
        throw new SvcError("api/wrong-method", { method: c.req.method, allowed });
      });
    }
  }
  app.notFound((c) =>
    errorAnswer(c, new SvcError("http/not-found", { path: c.req.path.slice(0, SHOWN) })),
  );
}

/** A path of the table as the router writes it. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

async function serve(
  c: Context<HttpEnv>,
  name: RestRouteName,
  { node, session, turn, clock }: RestParts,
  isCsv: boolean,
): Promise<Response> {
  const row: RouteContract = REST_ROUTES[name];
  const params = readPart(row.params, c.req.param(), "path");
  const query = readPart(row.query, queryRecord(new URL(c.req.url).searchParams), "query");
  const body = readPart(row.body, await bodyOf(c, row), "body");
  const { signal } = c.req.raw;
  // The parts were read by the schemas of the handler's own row.
  const handler: unknown = REST_HANDLERS[name];
  if (typeof handler !== "function") throw new TypeError("a row without a handler is served");
  const answer = await withinRow({ clock, row, signal }, (within, cut) => {
    const call = { node, session, params, query, body, signal: within };
    const work = (): Promise<unknown> =>
      orPruned(() => cut((async () => Reflect.apply(handler, null, [call]))()));
    return row.group === "health" ? work() : turn(c.env.caller.host, within, work);
  });
  return answer instanceof MissingAnswer ? missing(c, answer) : written(c, name, answer, isCsv);
}

/** What is below the pruning point is missing, wherever on the way to an answer that comes out. */
async function orPruned(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (SvcError.is(error, "chain/pruned")) return new MissingAnswer(error, "pruned");
    throw error;
  }
}

/** The turn of a host begins with the whole body: half of one keeps no turn from the others. */
async function bodyOf(c: Context<HttpEnv>, { method }: RouteContract): Promise<unknown> {
  if (method === "GET") return undefined;
  const bytes = await bodyAtMost(c, RPC_LIMITS.restBodyBytes);
  return jsonOfBody(bytes, c.req.header("content-type"));
}

function written(
  c: Context<HttpEnv>,
  name: RestRouteName,
  answer: unknown,
  isCsv: boolean,
): Response {
  const { isText, isBinary }: RouteContract = REST_ROUTES[name];
  const [document, depth]: readonly [unknown, bigint | null] =
    answer instanceof DeepAnswer ? [answer.document, answer.depth] : [answer, null];
  const cacheControl = restCacheControl(name, depth);
  const headers = (type: string): Record<string, string> => headersOf(type, cacheControl);
  if (isCsv && isCsvRow(name)) {
    return c.body(csvOf(name, jsonText(document)), 200, headers("text/csv; charset=utf-8"));
  }
  if (isText) return c.body(String(document), 200, headers("text/plain; charset=UTF-8"));
  if (isBinary && document instanceof Uint8Array) {
    return c.body(document.slice(), 200, headers("application/octet-stream"));
  }
  return c.body(jsonText(document), 200, headers("application/json"));
}

function missing(c: Context<HttpEnv>, { error, reason }: MissingAnswer): Response {
  const { headers, body } = errorParts(error);
  const parsed: unknown = JSON.parse(body);
  return c.body(JSON.stringify({ ...Object(parsed), reason }), 404, {
    ...headers,
    "Cache-Control": MISSING_CACHE_CONTROL,
  });
}

function headersOf(type: string, cacheControl: string): Record<string, string> {
  return { ...CLOSED_HEADERS, "Content-Type": type, "Cache-Control": cacheControl };
}
