/**
 * The HTTP server of the gateway over node:http. Every request is judged by its `Host` and `Origin` first, and each host has its share
 * of connections and requests; then the API's own guards follow (`shared/gateway/gatewayApp.ts`).
 */
import { Hono, type Context } from "hono";
import { infoOf } from "@svc/shared/base/errors.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { callRates } from "@svc/shared/gateway/callRates.ts";
import { gatewayApp } from "@svc/shared/gateway/gatewayApp.ts";
import type { GatewayHandlers } from "@svc/shared/gateway/gatewayHandlers.ts";
import type { MerchantPort } from "@svc/shared/gateway/gatewayPorts.ts";
import type { GreenfieldParts } from "@svc/shared/gateway/greenfield/greenfieldApp.ts";
import type { CheckoutPagesParts } from "@svc/shared/gateway/page/checkoutPages.ts";
import type { PosPagesParts } from "@svc/shared/gateway/pos/posPages.ts";
import { AccessCheck, type HttpRules } from "../../platform/http/accessCheck.ts";
import { boundedServer, hear, type RequestBounds } from "../../platform/http/guardedServer.ts";
import type { HttpEnv } from "../../platform/http/httpEnv.ts";
import { HttpQuotas, type HttpShareBounds } from "../../platform/http/httpQuotas.ts";
import { isAskedHere } from "../../platform/http/isAskedHere.ts";
import type { Log } from "../../platform/log/log.ts";
import { METRICS_TYPE } from "../../platform/metrics/metricRegistry.ts";
import { authority } from "../../platform/net/authority.ts";
import { logFault } from "../../platform/net/guarded.ts";
import { listenAt } from "../../platform/net/listenAt.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ServerMetrics } from "./gatewayMetrics.ts";

const SHARES: HttpShareBounds = {
  connections: {
    total: GATEWAY_LIMITS.httpConnections,
    perHost: GATEWAY_LIMITS.httpConnectionsPerHost,
  },
  requests: {
    each: {
      perSecond: GATEWAY_LIMITS.httpRequestsPerSecond,
      burst: GATEWAY_LIMITS.httpRequestsBurst,
    },
    all: {
      perSecond: GATEWAY_LIMITS.httpRequestsPerSecondAll,
      burst: GATEWAY_LIMITS.httpRequestsBurstAll,
    },
    sources: GATEWAY_LIMITS.httpSources,
  },
  unsentPerHost: GATEWAY_LIMITS.httpUnsentPerHost,
  unsentBytes: GATEWAY_LIMITS.httpUnsentBytes,
};

const BOUNDS: RequestBounds = {
  headMs: GATEWAY_LIMITS.httpHeadMs,
  requestMs: GATEWAY_LIMITS.httpRequestMs,
  lookMs: GATEWAY_LIMITS.httpLookMs,
  idleMs: GATEWAY_LIMITS.httpIdleMs,
  headBytes: GATEWAY_LIMITS.httpHeadBytes,
  headers: GATEWAY_LIMITS.httpHeaders,
};

const FORBIDDEN = 403;

/** Dependencies and settings of the server. */
export type GatewayServerParts = {
  /** Rows without a handler are not served. */
  readonly handlers: Partial<GatewayHandlers>;
  readonly merchants: Pick<MerchantPort, "keyOf">;
  /** The checkout pages. */
  readonly pages: CheckoutPagesParts;
  /** What `/metrics` tells, to callers on this machine. */
  readonly metrics: ServerMetrics;
  /** The tills and their pages. */
  readonly till: PosPagesParts;
  /** The BTCPay interface. */
  readonly greenfield: GreenfieldParts;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The option that names the place, for the error of a wrong one. */
  readonly option: string;
  /** Names and origins that may use it, and trusted proxies. */
  readonly rules: HttpRules;
  /** Whether calls are limited by key and caller; a measurement says no. */
  readonly hasLimits: boolean;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly clock: Pick<Clock, "steadyMs" | "sleep">;
  readonly log: Log;
};

/** A running server. */
export type GatewayServer = {
  /** Where it listens, `http://host:port`. */
  readonly address: string;
  /** Stops listening, waits for calls in progress as long as `httpDrainMs` allows, then ends them. Calling it again does nothing. */
  stop(): Promise<void>;
};

/** Starts the server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startGatewayServer(parts: GatewayServerParts): Promise<GatewayServer> {
  const { host, clock, log } = parts;
  const shares = new HttpQuotas(clock, parts.hasLimits ? SHARES : UNLIMITED);
  const gate = new AccessCheck(parts.rules, host);
  const stopping = new AbortController();
  const onError = (error: SvcError): void => {
    if (infoOf(error).log === "error") logFault(log, error);
  };
  const server = boundedServer(BOUNDS);
  hear(server, {
    app: routesOf(parts, shares, stopping.signal, onError),
    gate,
    shares,
    log,
    onError,
  });
  const place = { host, port: parts.port, option: parts.option };
  const port = await listenAt(server, place, (error) => logFault(log, error));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    stopping.abort();
    await drained(closed, clock);
    server.closeAllConnections();
    await closed;
  };
  let stopped: Promise<void> | null = null;
  return { address: `http://${authority(host, port)}`, stop: () => (stopped ??= close()) };
}

/** One core measures how many invoices it makes; what it is asked for is not limited then. */
const UNLIMITED: HttpShareBounds = {
  ...SHARES,
  connections: { total: GATEWAY_LIMITS.httpConnections, perHost: GATEWAY_LIMITS.httpConnections },
  requests: {
    each: { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER },
    all: { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER },
    sources: GATEWAY_LIMITS.httpSources,
  },
};

/** The API behind the shares of hosts. */
function routesOf(
  parts: GatewayServerParts,
  shares: HttpQuotas,
  stopped: AbortSignal,
  onError: (error: SvcError) => void,
): Hono<HttpEnv> {
  const { handlers, merchants, pages, till, greenfield, metrics, randomBytes, clock } = parts;
  const nowMs = (): number => Number(clock.steadyMs());
  const rates = parts.hasLimits ? callRates(nowMs, GATEWAY_LIMITS.httpSources) : null;
  const callerOf = (c: Context): string => callerIn(c.env);
  const app = gatewayApp({
    ...{ handlers, merchants, pages, till, greenfield },
    ...{ rates, callerOf, randomBytes, onError, stopped },
  });
  const routes = new Hono<HttpEnv>();
  routes.get("/metrics", (c) => {
    if (!isAskedHere(c)) return c.body(null, FORBIDDEN);
    return c.body(metrics.text(), 200, { "Content-Type": METRICS_TYPE });
  });
  routes.all("*", async (c) => {
    shares.asked(c.env.caller.host, c.env.outgoing);
    const answer = await app.fetch(c.req.raw, c.env);
    metrics.answered(answer.status);
    return answer;
  });
  return routes;
}

function callerIn(env: unknown): string {
  const caller: unknown =
    typeof env === "object" && env !== null && "caller" in env ? env.caller : null;
  const host: unknown =
    typeof caller === "object" && caller !== null && "host" in caller ? caller.host : null;
  return typeof host === "string" ? host : "";
}

/** Resolves when the connections are closed, or when the time for it is over. */
async function drained(closed: Promise<void>, clock: Pick<Clock, "sleep">): Promise<void> {
  const waiting = new AbortController();
  const over = clock.sleep(GATEWAY_LIMITS.httpDrainMs, waiting.signal).catch(() => undefined);
  await Promise.race([closed, over]);
  waiting.abort();
}
