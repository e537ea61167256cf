/** The explorer's HTTP server: the public REST interface below `/api`, and the pages everywhere else. */
import { getConnInfo } from "hono/cloudflare-workers";
import { Hono, type Context } from "hono";
import { infoOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RenderExplorerPage } from "@svc/shared/explorer/pageRenderer.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import { EXPLORER_LIMITS } from "../explorerLimits.ts";
import { edgeNow } from "../platform/edgeClock.ts";
import { answered } from "../platform/objectAnswer.ts";
import type { RestCall } from "./answers/restCall.ts";
import { AnswerCache, type SharedCache } from "./facade/answerCache.ts";
import type { ExplorerEnv } from "./origin/explorerEnv.ts";
import { EdgeHealth } from "./facade/edgeHealth.ts";
import { RestFacade } from "./facade/restFacade.ts";
import { inShare, restRoutes } from "./facade/restRoutes.ts";
import { VisitorRates } from "./facade/visitorRates.ts";
import { HistoryAnswers } from "./history/historyAnswers.ts";
import { ingestHistory } from "./history/historyIngest.ts";
import { historyRoutes } from "./history/historyRoutes.ts";
import { HistoryStore } from "./history/historyStore.ts";
import { relayNameOf, tipObject } from "./origin/relayObject.ts";
import type { RelayedAnswer } from "./origin/relay.ts";
import { BuiltFiles } from "./pages/builtFiles.ts";
import { pageRoutes } from "./pages/pageRoutes.ts";

/** What the Worker has beside its bindings. */
export type ExplorerAppParts = {
  /** The platform's cache; null where there is none. */
  readonly shared: SharedCache | null;
  readonly render: RenderExplorerPage;
};

/** Makes the server of an environment. */
export function explorerApp(env: ExplorerEnv, { shared, render }: ExplorerAppParts): Hono {
  const store = new HistoryStore(env.DB);
  const nodes = new RestFacade({
    ...{ cache: new AnswerCache(shared), now },
    relay: (call) => env.RELAYS.getByName(relayNameOf(call)).ask(call),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const facade = new HistoryAnswers({ facade: nodes, store, now });
  const rates = new VisitorRates({
    ...{ readsPerMinute: readsOf(env), shared: env.READS ?? null, now },
  });
  const health = new EdgeHealth({ views: async () => tipObject(env).views(), now });
  const app = new Hono();
  const rest = restRoutes({ facade, rates, health, callerOf, now, onError });
  app.route(REST_PLACE, rest);
  app.get("/health", (c) => rest.fetch(healthRequest(c), env, c.executionCtx));
  app.use("/history/*", inShare({ rates, callerOf }));
  app.route("/history", historyRoutes(store));
  const files = new BuiltFiles(env.ASSETS);
  app.route("/", pageRoutes({ facade, rates, files, render, callerOf, now, onError }));
  return app;
}

function healthRequest({ req }: Context): Request {
  return new Request(new URL(`/health${new URL(req.url).search}`, req.url), req.raw);
}

/** One run of the Cron: the history goes on. Never rejects: what fails is tried again in a minute. */
export async function writeHistory(env: ExplorerEnv): Promise<void> {
  const relay = async (call: RestCall): Promise<RelayedAnswer> =>
    answered(await env.RELAYS.getByName(relayNameOf(call)).ask(call));
  const parts = { store: new HistoryStore(env.DB), relay, nowMs: now() };
  await ingestHistory(parts).catch((thrown: unknown) => {
    console.error(`the history does not go on: ${SvcError.from(thrown).code}`);
  });
}

/** Anything but a number of calls is the usual number: a mistyped variable opens nothing. */
function readsOf({ SVC_READS_PER_MINUTE }: Pick<ExplorerEnv, "SVC_READS_PER_MINUTE">): number {
  const text = SVC_READS_PER_MINUTE ?? "";
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : EXPLORER_LIMITS.readsPerMinute;
}

function callerOf(c: Context): string {
  return getConnInfo(c).remote.address ?? "unknown";
}

/** A defect is told by its code: what was asked for is in no log. */
function onError(error: SvcError): void {
  if (infoOf(error).log === "error") console.error(`a call failed: ${error.code}`);
}

function now(): number {
  return Number(edgeNow());
}
