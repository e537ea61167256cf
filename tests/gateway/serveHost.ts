/** Test helper: a gateway's desks behind its own HTTP rules, at an address of this machine. */
import { Hono } from "hono";
import type { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { AccessCheck, OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { boundedServer, hear } from "@svc/node-server/platform/http/guardedServer.ts";
import type { HttpEnv } from "@svc/node-server/platform/http/httpEnv.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { STEP_HANG_MS } from "../testkit/hangMs.ts";

const BOUNDS = {
  ...{ headMs: STEP_HANG_MS, requestMs: STEP_HANG_MS, lookMs: 1_000, idleMs: 120_000 },
  ...{ headBytes: 16_384, headers: 64 },
};

/** A host that is served. */
export type ServedHost = {
  /** Where, `http://host:port`. */
  readonly url: string;
  /** Has the host do what it is asked next, and loses its answer: the caller gets a proxy's 502. */
  loseNextAnswer(): void;
  /** Ends the server; the host goes on. */
  close(): Promise<void>;
};

/** Serves a host. `onCall` hears of each call before it is answered: method and path. */
export async function serveHost(
  host: DeskHost,
  onCall: (call: string) => void = () => undefined,
): Promise<ServedHost> {
  const routes = new Hono<HttpEnv>();
  let isLosing = false;
  routes.all("*", async (c) => {
    onCall(`${c.req.method} ${c.req.path}`);
    const answer = await host.app.fetch(c.req.raw, c.env);
    if (!isLosing) return answer;
    isLosing = false;
    return c.text("", 502);
  });
  const server = boundedServer(BOUNDS);
  const faults: unknown[] = [];
  hear(server, {
    app: routes,
    gate: new AccessCheck(OWN_PAGES, "127.0.0.1"),
    shares: { connected: () => undefined },
    log: createLog("silent"),
    onError: (error) => faults.push(error),
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    loseNextAnswer: () => {
      isLosing = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
