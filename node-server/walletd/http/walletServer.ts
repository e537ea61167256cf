/**
 * The HTTP server of the wallet daemon: the table's rows over node:http, each answered by its handler.
 *
 * Every request is judged by its `Host` and `Origin` first. Nothing about a wallet is in an answer to who has not its token.
 */
import { infoOf } from "@svc/shared/base/errors.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { AccessCheck, type HttpRules } from "../../platform/http/accessCheck.ts";
import { boundedServer, hear, type RequestBounds } from "../../platform/http/guardedServer.ts";
import { HttpQuotas, type HttpShareBounds } from "../../platform/http/httpQuotas.ts";
import type { ServerTls } from "../../platform/http/tlsServer.ts";
import type { Log } from "../../platform/log/log.ts";
import { authority } from "../../platform/net/authority.ts";
import { logFault } from "../../platform/net/guarded.ts";
import { listenAt } from "../../platform/net/listenAt.ts";
import { isLoopback } from "../../platform/net/netAddress.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { CredentialRules } from "./credentials.ts";
import { WalletApp } from "./walletApp.ts";
import type { WalletHandlers } from "./walletHandlers.ts";
import type { ServerMetrics } from "./walletMetrics.ts";

/** What one host may have of the server, and all together. */
export const WALLET_SHARES: HttpShareBounds = {
  connections: {
    total: WALLETD_LIMITS.httpConnections,
    perHost: WALLETD_LIMITS.httpConnectionsPerHost,
  },
  requests: {
    each: {
      perSecond: WALLETD_LIMITS.httpRequestsPerSecond,
      burst: WALLETD_LIMITS.httpRequestsBurst,
    },
    all: {
      perSecond: WALLETD_LIMITS.httpRequestsPerSecondAll,
      burst: WALLETD_LIMITS.httpRequestsBurstAll,
    },
    sources: WALLETD_LIMITS.httpSources,
  },
  unsentPerHost: WALLETD_LIMITS.httpUnsentPerHost,
  unsentBytes: WALLETD_LIMITS.httpUnsentBytes,
};

const REQUEST_BOUNDS: RequestBounds & Pick<ServerTls, "handshakeMs"> = {
  handshakeMs: WALLETD_LIMITS.httpHandshakeMs,
  headMs: WALLETD_LIMITS.httpHeadMs,
  requestMs: WALLETD_LIMITS.httpRequestMs,
  lookMs: WALLETD_LIMITS.httpLookMs,
  idleMs: WALLETD_LIMITS.httpIdleMs,
  headBytes: WALLETD_LIMITS.httpHeadBytes,
  headers: WALLETD_LIMITS.httpHeaders,
};

/** Dependencies and settings of the server. */
export type WalletServerParts = {
  readonly handlers: WalletHandlers;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The option that names the place, for the error of a wrong one: `--listen`. */
  readonly option: string;
  /** Names and origins that may use it, and trusted proxies. */
  readonly rules: HttpRules;
  readonly credentials: Pick<CredentialRules, "allowDefaultToken" | "custodial">;
  /** The bearer token that every request but `/health` carries; null for none. */
  readonly bearer: string | null;
  /** Scoped tokens; null or left out for a server that takes none. */
  readonly tokens?: CredentialRules["tokens"];
  /** Certificate and key in PEM where the server speaks TLS; null or left out for HTTP alone. */
  readonly tls?: Pick<ServerTls, "cert" | "key"> | null;
  /** Answers `/metrics` and counts requests; null or left out for a daemon that tells none. */
  readonly metrics?: ServerMetrics | null;
  readonly clock: Pick<Clock, "steadyMs" | "sleep">;
  readonly log: Log;
  /** Hears of each request of the API, for who ends an idle daemon; health checks and preflights are none. */
  readonly onRequest?: () => void;
  /** `WALLET_SHARES` where left out. */
  readonly shares?: Partial<HttpShareBounds>;
  /** The daemon's limits where left out. */
  readonly bounds?: Partial<RequestBounds & Pick<ServerTls, "handshakeMs">>;
};

/** A running server. */
export type WalletServer = {
  /** Where it listens, `http://host:port`, with TLS `https://host:port`. */
  readonly address: string;
  /**
   * Stops listening, waits for calls in progress as long as `httpDrainMs` allows, then aborts them and closes their
   * connections. Calling it again does nothing.
   */
  stop(): Promise<void>;
};

/** Starts the server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startWalletServer(parts: WalletServerParts): Promise<WalletServer> {
  const { host, clock, log } = parts;
  const shares = new HttpQuotas(clock, { ...WALLET_SHARES, ...parts.shares });
  const gate = new AccessCheck(parts.rules, host);
  const stopping = new AbortController();
  const onError = (error: SvcError): void => {
    if (infoOf(error).log === "error") logFault(log, error);
  };
  const app = new WalletApp({
    handlers: parts.handlers,
    credentials: {
      ...parts.credentials,
      loopback: isLoopback(host),
      tokens: parts.tokens ?? null,
    },
    bearer: parts.bearer,
    shares,
    metrics: parts.metrics ?? null,
    onRequest: parts.onRequest ?? (() => {}),
    onError,
    stopped: stopping.signal,
  });
  const { handshakeMs, ...bounds } = { ...REQUEST_BOUNDS, ...parts.bounds };
  const tls = parts.tls ?? null;
  const server = boundedServer(bounds, tls === null ? null : { ...tls, handshakeMs });
  hear(server, { app: app.routes, gate, shares, log, onError });
  const place = { host, port: parts.port, option: parts.option };
  const port = await listenAt(server, place, (error) => logFault(log, error));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await drained(closed, clock);
    stopping.abort();
    server.closeAllConnections();
    await closed;
  };
  let stopped: Promise<void> | null = null;
  return {
    address: `${tls === null ? "http" : "https"}://${authority(host, port)}`,
    stop: () => (stopped ??= close()),
  };
}

/** Resolves when the connections are closed, or when the time for it is over. */
async function drained(closed: Promise<void>, clock: Pick<Clock, "sleep">): Promise<void> {
  const waiting = new AbortController();
  const over = clock.sleep(WALLETD_LIMITS.httpDrainMs, waiting.signal).catch(() => undefined);
  await Promise.race([closed, over]);
  waiting.abort();
}
