/** All routes of the HTTP server: browser protocol, public REST interface, local routes, built pages. */
import { Hono, type Context } from "hono";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import type { LocalMiner, NodeApi } from "../service/nodeApi.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";
import type { RestRates } from "../rest/call/restRates.ts";
import { restRoutes, type RestParts } from "../rest/restRoutes.ts";
import type { RestSession } from "../rest/call/restSession.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { TurnQuotas } from "./turnQuotas.ts";
import { EXPLORER_PLACE, explorerPages, type ExplorerPages } from "./explorerPages.ts";
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
  readonly restSession: RestSession;
  /** Counts calls of the public REST interface where it is open to everybody; null where it is not. */
  readonly restRates: RestRates | null;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  /** Hears of every error that is answered, defects among them. */
  readonly onError: (error: SvcError) => void;
};

/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** Makes all routes. Rejects when the folder of pages holds no build. */
export async function httpRoutes(
  parts: RouteParts,
  shares: Pick<TurnQuotas, "asked" | "turn">,
): Promise<HttpRoutes> {
  const { node, miner, pages, clock } = parts;
  const app = countedRoutes(parts, shares);
  app.route("/v1", v1Routes(node, shares));
  const ownRest = restParts(parts, shares);
  app.route(REST_PLACE, restRoutes(ownRest));
  if (miner !== null) app.route("/local", localRoutes(miner));
  if (pages !== null) {
    const { rates, turn } = ownRest;
    const rest = restRoutes({ ...ownRest, rates: null });
    const explorer = await explorerPages({ pages, rest, turn, rates, clock });
    if (explorer !== null) {
      app.onError((error, c) => answerFault(c, error, parts, explorer));
      app.route(EXPLORER_PLACE, explorer.routes);
      app.get("/blocks/", (c) => c.redirect(`${EXPLORER_PLACE}/blocks`, 308));
    }
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

/**
 * Makes the routes of strangers: whoever asks under a foreign name, from a foreign page or from elsewhere, where the operator has
 * opened the public REST interface. They have that interface and nothing else; what is beside it is refused as the gate has refused it. Null where it
 * is not open.
 */
export function openRoutes(
  parts: RouteParts,
  shares: Pick<TurnQuotas, "asked" | "turn">,
): HttpRoutes | null {
  if (parts.restRates === null) return null;
  const app = countedRoutes(parts, shares);
  app.route(REST_PLACE, restRoutes(restParts(parts, shares)));
  app.notFound((c) => {
    const refusal = c.env.refusal ?? new SvcError("http/forbidden", {});
    parts.onError(refusal);
    return errorAnswer(c, refusal);
  });
  return app;
}

/** Routes whose requests count for their host. */
function countedRoutes(
  { onError }: Pick<RouteParts, "onError">,
  shares: Pick<TurnQuotas, "asked">,
): HttpRoutes {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => answerFault(c, error, { onError }));
  app.use("*", async (c, next) => {
    shares.asked(c.env.caller.host, c.env.outgoing);
    await next();
  });
  return app;
}

/** Tells of an error and answers it; a refused page of the explorer is answered by one for people. */
function answerFault(
  c: Context<HttpEnv>,
  thrown: unknown,
  { onError }: Pick<RouteParts, "onError">,
  explorer: ExplorerPages | null = null,
): Response {
  const error = SvcError.from(thrown);
  onError(error);
  const isPage = c.req.method === "GET" && c.req.path.startsWith(`${EXPLORER_PLACE}/`);
  return (isPage ? explorer?.refused(c, error) : null) ?? errorAnswer(c, error);
}

function restParts(
  { node, restSession, restRates, clock, onError }: RouteParts,
  shares: Pick<TurnQuotas, "turn">,
): RestParts {
  const turn: RestParts["turn"] = (host, signal, work) => shares.turn(host, signal, work);
  return { node, session: restSession, rates: restRates, turn, clock, onError };
}
