/** The public REST interface of a node, below `/api` (specification service, Public REST): reads alone, from the table of its rows. */
import { Hono, type MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { DOCUMENT_PATH } from "@svc/shared/protocol/contract/openApi.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { restCacheControl } from "@svc/shared/protocol/rest/restCache.ts";
import { restDocument } from "@svc/shared/protocol/rest/openApi.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import { CLOSED_HEADERS } from "../../platform/http/closedHeaders.ts";
import { openToCaller, type HttpEnv, type HttpRoutes } from "../../platform/http/httpEnv.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { REST_HANDLERS } from "./restHandlers.ts";

/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** Seconds after which it is worth asking again what cannot be answered now. */
const RETRY_S = "10";

/** The names of the rows. */
const ROW_NAMES = Object.keys(REST_ROUTES).filter(
  (name): name is RestRouteName => name in REST_ROUTES,
);

/**
 * Makes the routes. `inTurn` keeps each host to its share of the engine; health is answered without a turn. Errors are answered
 * with the registry's status, sentence and code.
 */
export function restRoutes(node: NodeApi, inTurn: MiddlewareHandler<HttpEnv>): HttpRoutes {
  const app = new Hono<HttpEnv>();
  app.use("*", openToCaller, etag(), async (c, next) => {
    await next();
    if (c.res.status === 503 && !c.res.headers.has("Retry-After")) c.header("Retry-After", RETRY_S);
  });
  for (const name of ROW_NAMES) {
    const row: RouteContract = REST_ROUTES[name];
    const turn: MiddlewareHandler<HttpEnv> = row.group === "health" ? (_, next) => next() : inTurn;
    app.get(row.path.replaceAll(/\{(\w+)\}/g, ":$1"), turn, async (c) => {
      const answer = await REST_HANDLERS[name](node, c.req.raw.signal);
      const cacheControl = restCacheControl(name);
      return typeof answer === "string"
        ? c.body(answer, 200, headersOf("text/plain; charset=UTF-8", cacheControl))
        : c.body(jsonText(answer), 200, headersOf("application/json", cacheControl));
    });
  }
  app.get(DOCUMENT_PATH, (c) =>
    c.body(JSON.stringify(restDocument()), 200, headersOf("application/json", "no-cache")),
  );
  app.notFound((c) =>
    errorAnswer(c, new SvcError("http/not-found", { path: c.req.path.slice(0, SHOWN) })),
  );
  return app;
}

function headersOf(type: string, cacheControl: string): Record<string, string> {
  return { ...CLOSED_HEADERS, "Content-Type": type, "Cache-Control": cacheControl };
}
