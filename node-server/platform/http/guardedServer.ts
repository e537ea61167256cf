/**
 * HTTP server behind the access check and the quotas: what the servers of all programs have in common.
 *
 * Each request passes the check first, whatever its path; each connection has its host's share (decision 20). Faults of
 * foreign bytes end one connection.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../log/log.ts";
import { guarded, logFault } from "../net/guarded.ts";
import { sourceOf } from "../net/netAddress.ts";
import type { AccessCheck } from "./accessCheck.ts";
import { errorResponse } from "./errorAnswer.ts";
import type { HttpRoutes } from "./httpEnv.ts";
import type { HttpQuotas } from "./httpQuotas.ts";
import { TlsServer, type ServerTls } from "./tlsServer.ts";

/** What a request may take of time and room. */
export type RequestBounds = {
  /** ms. For the head. */
  readonly headMs: number;
  /** ms. For the whole request. */
  readonly requestMs: number;
  /** ms. How often late ones are looked for. */
  readonly lookMs: number;
  /** ms. A connection on which nothing moves is closed. */
  readonly idleMs: number;
  readonly headBytes: number;
  readonly headers: number;
};

/** Makes a server that answers nothing yet, over TLS where that is given. */
export function boundedServer(bounds: RequestBounds, tls: ServerTls | null = null): Server {
  const options = {
    headersTimeout: bounds.headMs,
    requestTimeout: bounds.requestMs,
    connectionsCheckingInterval: bounds.lookMs,
    maxHeaderSize: bounds.headBytes,
  };
  const server = tls === null ? createServer(options) : new TlsServer(options, tls);
  server.maxHeadersCount = bounds.headers;
  server.timeout = bounds.idleMs;
  return server;
}

/** Who answers the requests of a server. */
export type Hearing = {
  readonly app: HttpRoutes;
  /**
   * Answers what the check refuses for its host name, its page or where it comes from, where the operator has opened something to
   * everybody: it has those routes alone, and answers everything else with `refusal`. Null or left out where nothing is open.
   */
  readonly open?: HttpRoutes | null;
  readonly gate: AccessCheck;
  readonly shares: Pick<HttpQuotas, "connected">;
  readonly log: Log;
  /** Hears of every request that the check refuses. */
  readonly onError: (error: SvcError) => void;
};

/** Has the routes answer the requests of a server that the check lets in. */
export function hear(server: Server, hearing: Hearing): void {
  const { app, gate, shares, log, onError, open = null } = hearing;
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
      const refusal = SvcError.from(error);
      if (open !== null && SvcError.is(refusal, "http/foreign-host", "http/foreign-origin")) {
        return open.fetch(request, { caller: gate.stranger(incoming), outgoing, refusal });
      }
      onError(refusal);
      return errorResponse(refusal);
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
