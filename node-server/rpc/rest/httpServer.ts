/**
 * The one HTTP server of the node: browser protocol, local routes, built pages, live connections.
 *
 * Bound to loopback unless the operator says otherwise.
 */
import { createAdaptorServer, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/clock.ts";
import type { LocalMiner, NodeApi } from "../service/nodeApi.ts";
import { errorAnswer } from "./errorAnswer.ts";
import { LiveServer } from "./liveServer.ts";
import { localRoutes } from "./localRoutes.ts";
import { pageFiles } from "./pageFiles.ts";
import { v1Routes } from "./v1Routes.ts";

/** What the server is made of. */
export type HttpServerParts = {
  readonly node: NodeApi;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Folder of the built pages; null serves none. */
  readonly pages: string | null;
  /** Only on a local network. */
  readonly miner: LocalMiner | null;
  readonly clock: Clock;
};

/** A running server. */
export type HttpServer = {
  /** Where it listens, `http://host:port`. */
  readonly address: string;
  /** Stops listening and ends open connections. Calling it again does nothing. */
  stop(): Promise<void>;
};

/** Starts the server. Rejects with `node/port-in-use` when the port is taken. */
export async function startHttpServer(parts: HttpServerParts): Promise<HttpServer> {
  const app = await routes(parts);
  const server = createAdaptorServer({ fetch: app.fetch });
  if ("requestTimeout" in server) server.requestTimeout = LIMITS.httpRequestMs;
  const live = new LiveServer(parts.node);
  await listen(server, parts);
  live.start(server, parts.clock);
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : parts.port;
  const host = parts.host.includes(":") ? `[${parts.host}]` : parts.host;
  let stopped: Promise<void> | null = null;
  return {
    address: `http://${host}:${port}`,
    stop: () => (stopped ??= close(server, live)),
  };
}

async function routes({ node, miner, pages }: HttpServerParts): Promise<Hono> {
  const app = new Hono();
  app.onError((error, c) => errorAnswer(c, error));
  app.route("/v1", v1Routes(node));
  if (miner !== null) app.route("/local", localRoutes(miner));
  if (pages !== null) app.route("/", await pageFiles(pages));
  app.notFound((c) =>
    errorAnswer(c, new SvcError("http/not-found", { path: c.req.path.slice(0, 80) })),
  );
  return app;
}

function listen(server: ServerType, { host, port }: HttpServerParts): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (cause: NodeJS.ErrnoException): void => {
      const taken = cause.code === "EADDRINUSE";
      reject(taken ? new SvcError("node/port-in-use", { port }, cause) : SvcError.from(cause));
    };
    server.once("error", refused);
    server.listen(port, host, () => {
      server.off("error", refused);
      resolve();
    });
  });
}

async function close(server: ServerType, live: LiveServer): Promise<void> {
  live.stop();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}
