/**
 * The one HTTP server of the node: browser protocol, local routes, built pages, live connections.
 *
 * Bound to loopback unless the operator says otherwise. Each request and each upgrade passes the gate first, and has its
 * host's share of the server (decision 20).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { infoOf } from "@svc/shared/base/errors.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { sourceOf } from "../../p2p/addresses/netAddress.ts";
import { authority } from "../../platform/net/authority.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { guarded, logFault } from "../../platform/net/guarded.ts";
import { listenAt } from "../../platform/net/listenAt.ts";
import type { Log } from "../../platform/log/log.ts";
import type { LocalMiner, NodeApi } from "../service/nodeApi.ts";
import { AccessCheck, type HttpRules } from "./accessCheck.ts";
import { errorResponse } from "./errorAnswer.ts";
import type { HttpRoutes } from "./httpEnv.ts";
import { httpRoutes } from "./httpRoutes.ts";
import { HTTP_SHARES, HttpQuotas, type HttpShareBounds } from "./httpQuotas.ts";
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
  readonly clock: Clock;
  readonly log: Log;
  /** What one host may have of it; `HTTP_SHARES` where left out. */
  readonly shares?: Partial<HttpShareBounds>;
};

/** A running server. */
export type HttpServer = {
  /** Where it listens, `http://host:port`. */
  readonly address: string;
  /** Stops listening and ends open connections. Calling it again does nothing. */
  stop(): Promise<void>;
};

/** Starts the server. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function startHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const { node, host, clock, log } = parts;
  const bounds = { ...HTTP_SHARES, ...parts.shares };
  const shares = new HttpQuotas(clock, bounds);
  const gate = new AccessCheck(parts.rules, host);
  const onError = (error: SvcError): void => {
    if (infoOf(error).log === "error") logFault(log, error);
  };
  const app = await httpRoutes({ ...parts, onError }, shares);
  const server = newServer();
  const live = new LiveServer({ node, gate, shares, log, places: bounds.live });
  hear(server, { app, gate, shares, log, onError });
  const place = { host, port: parts.port, option: "--httplisten" };
  const port = await listenAt(server, place, (error) => logFault(log, error));
  live.start(server, clock);
  let stopped: Promise<void> | null = null;
  return {
    address: `http://${authority(host, port)}`,
    stop: () => (stopped ??= close(server, live)),
  };
}

function newServer(): Server {
  const server = createServer({
    headersTimeout: RPC_LIMITS.httpHeadMs,
    requestTimeout: RPC_LIMITS.httpRequestMs,
    connectionsCheckingInterval: RPC_LIMITS.httpLookMs,
    maxHeaderSize: RPC_LIMITS.httpHeadBytes,
  });
  server.maxHeadersCount = RPC_LIMITS.httpHeaders;
  server.timeout = RPC_LIMITS.httpIdleMs;
  return server;
}

type Hearing = {
  readonly app: HttpRoutes;
  readonly gate: AccessCheck;
  readonly shares: HttpQuotas;
  readonly log: Log;
  readonly onError: (error: SvcError) => void;
};

function hear(server: Server, { app, gate, shares, log, onError }: Hearing): void {
  const connected = (socket: Socket): void => {
    const { remoteAddress: ip, remotePort } = socket;
    // A proxy's connections are nobody's: each counts for itself.
    const host = gate.isProxy(ip) ? `${ip} ${remotePort}` : sourceOf(ip);
    shares.connected(host, socket);
  };
  const answer = getRequestListener((request, { incoming, outgoing }) => {
    try {
      const caller = gate.judge(incoming);
      return app.fetch(request, { caller, outgoing });
    } catch (error) {
      onError(SvcError.from(error));
      return errorResponse(error);
    }
  });
  server.on(
    "connection",
    guarded(connected, (fault, socket) => {
      socket.destroy();
      logFault(log, fault);
    }),
  );
  server.on(
    "request",
    guarded(
      (incoming: IncomingMessage, outgoing: ServerResponse) => answer(incoming, outgoing),
      (fault, incoming) => {
        incoming.socket.destroy();
        logFault(log, fault);
      },
    ),
  );
}

async function close(server: Server, live: LiveServer): Promise<void> {
  live.stop();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
