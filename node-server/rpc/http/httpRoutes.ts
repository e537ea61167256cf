/** All routes of the HTTP server: browser protocol, public REST interface, local routes, built pages. */
import { Hono } from "hono";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import type { LocalMiner, NodeApi } from "../service/nodeApi.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";
import { restRoutes } from "../rest/restRoutes.ts";
import type { TurnQuotas } from "./turnQuotas.ts";
import { localRoutes } from "./localRoutes.ts";
import { pageFiles } from "./pageFiles.ts";
import { v1Routes } from "./v1Routes.ts";

/** Dependencies of the routes. */
export type RouteParts = {
  readonly node: NodeApi;
  /** Only on a local network. */
  readonly miner: LocalMiner | null;
  /** Folder of the built pages; null serves none. */
  readonly pages: string | null;
  /** Hears of every error that is answered, defects among them. */
  readonly onError: (error: SvcError) => void;
};

/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** Makes all routes. Rejects when the folder of pages holds no build. */
export async function httpRoutes(
  { node, miner, pages, onError }: RouteParts,
  shares: Pick<TurnQuotas, "asked" | "turn">,
): Promise<HttpRoutes> {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => {
    onError(SvcError.from(error));
    return errorAnswer(c, error);
  });
  app.use("*", async (c, next) => {
    shares.asked(c.env.caller.host, c.env.outgoing);
    await next();
  });
  app.route("/v1", v1Routes(node, shares));
  app.route(
    REST_PLACE,
    restRoutes(node, (c, next) => shares.turn(c.env.caller.host, c.req.raw.signal, next)),
  );
  if (miner !== null) app.route("/local", localRoutes(miner));
  if (pages !== null) {
    const files = await pageFiles(pages, (c, read) =>
      shares.turn(c.env.caller.host, c.req.raw.signal, read),
    );
    app.route("/", files);
  }
  app.notFound((c) =>
    errorAnswer(c, new SvcError("http/not-found", { path: c.req.path.slice(0, SHOWN) })),
  );
  return app;
}
