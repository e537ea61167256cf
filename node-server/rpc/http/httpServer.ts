/**
 * The one HTTP server of the node: browser protocol, local routes, built pages, live connections.
 *
 * Bound to loopback unless the operator says otherwise. Each request and each upgrade passes the gate first, and has its
 * host's share of the server (decision 20).
 */
import type { Server } from "node:http";
import { infoOf } from "@svc/shared/base/errors.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { authority } from "../../platform/net/authority.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { logFault } from "../../platform/net/guarded.ts";
import { boundedServer, hear, type RequestBounds } from "../../platform/http/guardedServer.ts";
import { listenAt } from "../../platform/net/listenAt.ts";
import type { Log } from "../../platform/log/log.ts";
import type { BearerHash } from "../../platform/http/bearerHash.ts";
import type { CountryTable } from "../../platform/net/countryTable.ts";
import { RestRates, type RestShares } from "../rest/call/restRates.ts";
import { RestSession } from "../rest/call/restSession.ts";
import type { LocalMiner, NodeApi } from "../service/nodeApi.ts";
import { AccessCheck, type HttpRules } from "../../platform/http/accessCheck.ts";
import { httpRoutes, openRoutes } from "./httpRoutes.ts";
import { TurnQuotas } from "./turnQuotas.ts";
import { NODE_SHARES, type NodeShareBounds } from "./nodeShares.ts";
import { LiveServer } from "./liveServer.ts";

/** Dependencies and settings of the server. */
export type HttpServerParts = {
  readonly node: NodeApi;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Folder of the built pages; null serves none. */
  readonly pages: string | null;
  /** Only on a local network. */
  readonly miner: LocalMiner | null;
  /** Who may use it. */
  readonly rules: HttpRules;
  /** How the public REST interface is served; left out, to those alone who may use the rest. */
  readonly rest?: RestOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** What one host may have of it; `NODE_SHARES` where left out. */
  readonly shares?: Partial<NodeShareBounds>;
  /** Other shares of the open REST interface than the usual ones. */
  readonly restShares?: Partial<RestShares>;
};

const REQUEST_BOUNDS: RequestBounds = {
  headMs: RPC_LIMITS.httpHeadMs,
  requestMs: RPC_LIMITS.httpRequestMs,
  lookMs: RPC_LIMITS.httpLookMs,
  idleMs: RPC_LIMITS.httpIdleMs,
  headBytes: RPC_LIMITS.httpHeadBytes,
  headers: RPC_LIMITS.httpHeaders,
};

/** How the public REST interface is served. */
export type RestOptions = {
  /** To everybody, under any name and from any page. */
  readonly isPublic: boolean;
  /** Whose bearer is not held to a number of calls; null for nobody. */
  readonly token: BearerHash | null;
  /** Tells countries of peers; null tells none. */
  readonly countries: CountryTable | null;
};

const OWN_REST: RestOptions = { isPublic: false, token: null, countries: null };

/** A running server. */
export type HttpServer = {
  /** Where it listens, `http://host:port`. */
  readonly address: string;
  /** Stops listening and ends open connections. Calling it again does nothing. */
  stop(): Promise<void>;
};

/** Starts the server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const { node, host, clock, log, rest = OWN_REST } = parts;
  const bounds = { ...NODE_SHARES, ...parts.shares };
  const shares = new TurnQuotas(clock, bounds);
  const gate = new AccessCheck(parts.rules, host, rest.isPublic);
  const onError = (error: SvcError): void => {
    if (infoOf(error).log === "error") logFault(log, error);
  };
  const restSession = new RestSession(node, rest.countries);
  const restRates = rest.isPublic ? new RestRates(clock, rest.token, parts.restShares) : null;
  const routeParts = { ...parts, restSession, restRates, onError };
  const app = await httpRoutes(routeParts, shares);
  const server = boundedServer(REQUEST_BOUNDS);
  const live = new LiveServer({ node, gate, shares, log, places: bounds.live });
  hear(server, { app, open: openRoutes(routeParts, shares), gate, shares, log, onError });
  const place = { host, port: parts.port, option: "--httplisten" };
  const port = await listenAt(server, place, (error) => logFault(log, error));
  live.start(server, clock);
  let stopped: Promise<void> | null = null;
  return {
    address: `http://${authority(host, port)}`,
    stop: () => (stopped ??= close(server, live).finally(() => restSession.stop())),
  };
}

async function close(server: Server, live: LiveServer): Promise<void> {
  live.stop();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
