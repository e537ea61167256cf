/**
 * The rows of the gateway API behind their guards, as a Hono app: API key, scope, rate limit, schemas, idempotency key. It is the same
 * in Node and on Workers; what a host keeps is behind the ports of its handlers.
 */
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { withAnySignal } from "../base/abort.ts";
import type { Hash32 } from "../base/brand.ts";
import { asHash32 } from "../base/brand.ts";
import { concatBytes } from "../base/bytes.ts";
import { encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";
import { gatewayDocument } from "../protocol/gateway/openApi.ts";
import { gatewayRefusalOf } from "../protocol/gateway/gatewayRefusal.ts";
import { GATEWAY_ROUTES, type GatewayRouteName } from "../protocol/gateway/gatewayRoutes.ts";
import type { RouteContract } from "../protocol/contract/routeContract.ts";
import type { GatewayKinds, GatewayScope } from "../protocol/gateway/route.ts";
import { hashApiKey } from "./apiKey.ts";
import { readPart } from "../protocol/contract/requestParts.ts";
import { bearerOf, bodyOf, idempotencyKeyOf, jsonOf } from "./contractCall.ts";
import {
  CookieAnswer,
  FileAnswer,
  ReplayedAnswer,
  SocketAnswer,
  StreamedAnswer,
  type GatewayHandlers,
} from "./gatewayHandlers.ts";
import type { MerchantKey, MerchantPort, RequestKey } from "./gatewayPorts.ts";
import {
  GREENFIELD_PATH,
  greenfieldApp,
  type GreenfieldParts,
} from "./greenfield/greenfieldApp.ts";
import { countCall, tellShare, type CallRates } from "./callRates.ts";
import { checkoutPages, type CheckoutPagesParts } from "./page/checkoutPages.ts";
import { claimPages } from "./page/claimPages.ts";
import { posPages, type PosPagesParts } from "./pos/posPages.ts";
import { requireOwnOrigin } from "./till/ownOrigin.ts";
import { deviceOf, requireSession } from "./till/tillOfRequest.ts";

/** Dependencies of the app. */
export type GatewayAppParts = {
  /** Rows without a handler are not served. */
  readonly handlers: Partial<GatewayHandlers>;
  readonly merchants: Pick<MerchantPort, "keyOf">;
  /** The checkout pages; null where payers see none. */
  readonly pages: CheckoutPagesParts | null;
  /** The tills and their pages; null where there are none. */
  readonly till: PosPagesParts | null;
  /** The BTCPay interface; null where shops have none. */
  readonly greenfield: GreenfieldParts | null;
  /** Null for a gateway without limits. */
  readonly rates: CallRates | null;
  /** Where a request comes from, for limits of calls without a key. */
  readonly callerOf: (c: Context) => string;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Hears of every error that is answered, with the id of its request. */
  readonly onError: (error: SvcError, requestId: string) => void;
  /** Aborts when the gateway stops. */
  readonly stopped: AbortSignal;
};

/** The context of a request. */
type Env = { Variables: { requestId: string } };

const REQUEST_ID = "X-Request-Id";
const REPLAYED = "Idempotent-Replayed";
const DOCUMENT_PATH = "/openapi.json";
const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store" };
const CSV_HEADERS = {
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": "attachment",
  "Cache-Control": "no-store",
};
const STREAM_HEADERS = { "Content-Type": "text/event-stream", "Cache-Control": "no-store" };
/** Characters of a foreign path in an error. */
const SHOWN = 80;
const CREATED = 201;
const NOT_READY = 503;
const SWITCHED = 101;

/** Makes the app. */
export function gatewayApp(parts: GatewayAppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.use("*", async (c, next) => {
    const id = `req_${encodeHex(parts.randomBytes(8))}`;
    c.set("requestId", id);
    await next();
    // The headers of a WebSocket's answer cannot be changed.
    if (c.res.status === SWITCHED) return;
    c.header(REQUEST_ID, id);
    tellShare(c);
    c.header("X-Content-Type-Options", "nosniff");
  });
  app.onError((thrown, c) => refused(c, SvcError.from(thrown), parts));
  const served = ROUTE_NAMES.filter((name) => parts.handlers[name] !== undefined);
  for (const name of served) {
    const { method, path } = GATEWAY_ROUTES[name];
    app.on(method, patternOf(path), (c) => serve(name, c, parts));
  }
  const document = JSON.stringify(gatewayDocument());
  app.get(DOCUMENT_PATH, (c) => c.body(document, 200, JSON_HEADERS));
  if (parts.pages !== null) {
    app.route("/", checkoutPages(parts.pages, parts));
    app.route("/", claimPages(parts.pages.claims, parts));
  }
  if (parts.till !== null) app.route("/", posPages(parts.till, parts));
  if (parts.greenfield !== null) {
    app.route(GREENFIELD_PATH, greenfieldApp(parts.greenfield, parts));
  }
  addRefusals(app, served);
  return app;
}

/** The rows in the order of the table. */
const ROUTE_NAMES: readonly GatewayRouteName[] = Object.keys(GATEWAY_ROUTES).filter(
  (name): name is GatewayRouteName => name in GATEWAY_ROUTES,
);

/** A path of the table as the router writes it. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** A method that a path does not take, and a path that is none. */
function addRefusals(app: Hono<Env>, served: readonly GatewayRouteName[]): void {
  const methods = new Map<string, string[]>([[DOCUMENT_PATH, ["GET"]]]);
  for (const name of served) {
    const { method, path } = GATEWAY_ROUTES[name];
    methods.set(patternOf(path), [...(methods.get(patternOf(path)) ?? []), method]);
  }
  for (const [pattern, taken] of methods) {
    app.all(pattern, (c) => {
      const allowed = taken.join(", ");
      c.header("Allow", allowed);
      throw new SvcError("api/wrong-method", { method: c.req.method, allowed });
    });
  }
  app.all("*", (c) => {
    throw new SvcError("http/not-found", { path: c.req.path.slice(0, SHOWN) });
  });
}

function refused(c: Context<Env>, error: SvcError, { onError }: GatewayAppParts): Response {
  const requestId = c.get("requestId");
  onError(error, requestId);
  const { status, headers, body } = gatewayRefusalOf(error, requestId);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return c.body(JSON.stringify(body), isStatus(status) ? status : 500, JSON_HEADERS);
}

function isStatus(status: number): status is ContentfulStatusCode {
  return Number.isInteger(status) && status >= 400 && status < 600;
}

async function serve(
  name: GatewayRouteName,
  c: Context<Env>,
  parts: GatewayAppParts,
): Promise<Response> {
  const row: RouteContract<GatewayKinds> = GATEWAY_ROUTES[name];
  const key = row.credential === "key" ? await keyOf(c, row.scope, parts) : null;
  const session = row.credential === "till" ? await requireSession(c, parts.till) : null;
  if (row.credential === "password") requireOwnOrigin(c);
  const till = session?.till ?? null;
  const merchant = key?.merchant ?? till?.merchant ?? null;
  const who = key?.keyId ?? till?.name ?? parts.callerOf(c);
  const counted = { name, merchant: merchant?.id ?? null, who };
  // A device that signed in before has a share of its own: strangers do not hold it up by the name of its till, nor beside it.
  const device = row.credential === "password" ? await deviceOf(c, parts.till) : null;
  const known = device && { name, merchant: "device", who: device.hash };
  await countCall(c, parts.rates, known ?? counted);
  const params = readPart(row.params, c.req.param(), "path");
  if (row.credential === "none") {
    await countCall(c, parts.rates, { ...counted, about: idIn(params) });
  }
  const query = readPart(row.query, queryOf(c), "query");
  const bytes = await bodyOf(c, row.bodyBytes);
  const body = readPart(row.body, jsonOf(c, bytes), "body");
  // Beside the caller's own share: many hosts together try one till no faster.
  if (row.credential === "password" && device?.till !== tillIn(body)) {
    if (device !== null) await countCall(c, parts.rates, counted);
    await countCall(c, parts.rates, { name, merchant: "till", who: tillIn(body) });
  }
  const request = row.takesKey ? await requestKeyOf(c, name, bytes) : null;
  // The parts were read by the schemas of the handler's own row.
  const handler: unknown = parts.handlers[name];
  if (typeof handler !== "function") throw new TypeError("a row without a handler is served");
  const ask = (signal: AbortSignal): unknown =>
    Reflect.apply(handler, null, [{ params, query, body, request, signal, key, session, device }]);
  if (isStream(row)) return streamed(c, ask, parts);
  if (isSocket(row)) return switched(c, ask, parts);
  const signals = row.endsWithCaller ? [parts.stopped, c.req.raw.signal] : [parts.stopped];
  return written(c, row, await withAnySignal(signals, async (signal) => ask(signal)));
}

function isStream(row: RouteContract): boolean {
  return row.isStream === true;
}

function isSocket(row: RouteContract): boolean {
  return row.isSocket === true;
}

/** What a call without a key is about: the invoice or the claim of its path. */
function idIn(params: unknown): string {
  return typeof params === "object" && params !== null ? Object.values(params).join(" ") : "";
}

/** The name that a till signs in with. */
function tillIn(body: unknown): string {
  const hasName = typeof body === "object" && body !== null && "till" in body;
  return hasName ? String(body.till) : "";
}

/** A stream lasts until its reader goes, or the gateway stops. */
async function streamed(
  c: Context<Env>,
  ask: (signal: AbortSignal) => unknown,
  { stopped }: GatewayAppParts,
): Promise<Response> {
  const left = new AbortController();
  const given = await ask(AbortSignal.any([stopped, c.req.raw.signal, left.signal]));
  if (!(given instanceof StreamedAnswer)) throw new TypeError("a stream is no answer");
  return c.body(streamOf(given.events, left), 200, STREAM_HEADERS);
}

/** A page of another origin can open a WebSocket, which no rule of browsers keeps from it: it is refused here. */
async function switched(
  c: Context<Env>,
  ask: (signal: AbortSignal) => unknown,
  { stopped, callerOf }: GatewayAppParts,
): Promise<Response> {
  requireOwnOrigin(c);
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    throw new SvcError("http/bad-request", { reason: "no Upgrade: websocket" });
  }
  const given = await ask(stopped);
  if (!(given instanceof SocketAnswer)) throw new TypeError("a socket is no answer");
  return given.open(callerOf(c));
}

/** The key of a request that may use a row. Throws `gateway/bad-key`, `gateway/scope`. */
async function keyOf(
  c: Context,
  scope: GatewayScope,
  { merchants }: GatewayAppParts,
): Promise<MerchantKey> {
  const text = bearerOf(c);
  if (text === null) throw new SvcError("gateway/bad-key", {});
  const key = await merchants.keyOf(await hashApiKey(text));
  if (key === null) throw new SvcError("gateway/bad-key", {});
  if (scope !== "any" && !key.scopes.includes(scope)) {
    throw new SvcError("gateway/scope", { needed: scope });
  }
  return key;
}

/** A parameter that is there several times is a list. */
function queryOf(c: Context): Readonly<Record<string, string | readonly string[]>> {
  const lists = Object.entries(c.req.queries());
  return Object.fromEntries(
    lists.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** Key and hash of a request: the same key for another path or another body is another request. */
async function requestKeyOf(
  c: Context,
  name: GatewayRouteName,
  body: Uint8Array,
): Promise<RequestKey | null> {
  const key = idempotencyKeyOf(c);
  if (key === null) return null;
  const route = new TextEncoder().encode(`${name} ${c.req.path}\n`);
  return { key, bodyHash: await sha256(concatBytes(route, body)) };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Hash32> {
  return asHash32(encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
}

function written(c: Context<Env>, row: RouteContract, given: unknown): Response {
  if (given instanceof ReplayedAnswer) c.header(REPLAYED, "true");
  if (given instanceof CookieAnswer) {
    for (const cookie of given.cookies) c.header("Set-Cookie", cookie, { append: true });
  }
  const isHeld = given instanceof ReplayedAnswer || given instanceof CookieAnswer;
  const answer: unknown = isHeld ? given.answer : given;
  if (row.isCsv === true) return c.body(String(answer), 200, CSV_HEADERS);
  if (row.fileType !== undefined) return fileOf(c, row.fileType, given);
  const isReady = row.tellsReadiness === undefined || readinessOf(answer);
  const status = isReady ? (row.status === CREATED ? CREATED : 200) : NOT_READY;
  return c.body(JSON.stringify(answer), status, JSON_HEADERS);
}

function fileOf(c: Context<Env>, type: string, given: unknown): Response {
  if (!(given instanceof FileAnswer)) throw new TypeError("a file is no answer");
  return c.body(given.bytes, 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${given.name}"`,
    "Cache-Control": "no-store",
  });
}

function readinessOf(answer: unknown): boolean {
  return (
    typeof answer === "object" && answer !== null && "ready" in answer && answer.ready === true
  );
}

function streamOf(
  events: AsyncIterable<string>,
  left: AbortController,
): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    async cancel() {
      left.abort();
      await iterator.return?.();
    },
  });
}
