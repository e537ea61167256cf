/**
 * The explorer's pages of a node (docs/design/explorer.md): rendered by the built module from the node's own answers below `/api`, without a
 * way around them. Every question of a page waits for the turn of its host, as the same question from outside does, and so does its
 * rendering, which holds the thread. The page counts as one call of its host, its questions as none.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Hono, type Context } from "hono";
import { throwIfAborted, withAnySignal } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { explorerPageOf, pageNeeds } from "@svc/shared/explorer/explorerPaths.ts";
import { pageLocaleOf } from "@svc/shared/explorer/pageLocale.ts";
import {
  RENDERER_FILE,
  type PageAnswer,
  type PageDocument,
  type PageDocuments,
  type PageInput,
  type PageRefusal,
  type PageRendererModule,
} from "@svc/shared/explorer/pageRenderer.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { countCall } from "../rest/call/countCall.ts";
import type { RestRates } from "../rest/call/restRates.ts";
import { withinRow } from "../rest/call/withinRow.ts";
import type { Turn } from "../rest/restRoutes.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";

/** Where the pages stand on a node. */
export const EXPLORER_PLACE = "/explorer";

/** The bound of a page, as that of a row. */
const PAGE_ROW = { path: EXPLORER_PLACE, timeoutMs: RPC_LIMITS.explorerPageMs } as const;
/** Statuses of pages. */
const STATUSES = [200, 404, 429, 503] as const;
const TOO_MANY = 429;

/** What the pages are made from. */
export type ExplorerParts = {
  /** Folder of the built pages. */
  readonly pages: string;
  /** The REST interface, errors answered, calls not counted: it is asked in process. */
  readonly rest: HttpRoutes;
  /** Keeps each host to its share of the rendering. */
  readonly turn: Turn;
  /** Counts pages where calls are counted; null where they are not. */
  readonly rates: RestRates | null;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
};

/** The pages. */
export type ExplorerPages = {
  readonly routes: HttpRoutes;
  /** The page that says of an error when to ask again; null for an error that is no such refusal. */
  refused(c: Context<HttpEnv>, error: SvcError): Response | null;
};

/** Makes them; null when the folder holds pages without an explorer. Rejects when its module cannot be loaded. */
export async function explorerPages(parts: ExplorerParts): Promise<ExplorerPages | null> {
  const file = join(parts.pages, RENDERER_FILE);
  if (!existsSync(file)) return null;
  const { renderExplorerPage }: PageRendererModule = await import(pathToFileURL(file).href);
  const { rates, clock, turn } = parts;
  const routes = new Hono<HttpEnv>();
  routes.get("*", async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    // A file of the build like the others: its hash is published.
    if (pathname === `/${RENDERER_FILE}`) return next();
    const path = pathOf(pathname);
    if (path === "" || (path !== "/" && path.endsWith("/"))) {
      return c.redirect(`${EXPLORER_PLACE}${path.slice(0, -1) || "/"}${search}`, 308);
    }
    if (rates !== null) countCall(c, rates);
    const bound = { clock, row: PAGE_ROW, signal: c.req.raw.signal };
    const page = await withinRow(bound, async (signal) => {
      const documents = await documentsOf(c, parts, signal);
      return turn(c.env.caller.host, signal, async () => {
        // Between two pages the thread is free for what else waits.
        await setImmediate();
        throwIfAborted(signal);
        return renderExplorerPage(inputOf(c, clock, { documents }));
      });
    });
    return written(c, page);
  });
  return {
    routes,
    refused: (c, error) => {
      const refusal = refusalOf(error);
      if (refusal === null) return null;
      return written(c, renderExplorerPage(inputOf(c, clock, { documents: {}, refusal })));
    },
  };
}

/** The path below the pages' place. */
function pathOf(pathname: string): string {
  return pathname.slice(EXPLORER_PLACE.length);
}

function inputOf(
  c: Context<HttpEnv>,
  clock: Pick<Clock, "nowMs">,
  made: Pick<PageInput, "documents" | "refusal">,
): PageInput {
  const { origin, pathname, search } = new URL(c.req.url);
  const query = search.slice(1);
  const { locale, isAsked } = pageLocaleOf({
    query,
    cookie: c.req.header("cookie"),
    acceptLanguage: c.req.header("accept-language"),
  });
  return {
    base: EXPLORER_PLACE,
    apiBase: REST_PLACE,
    origin,
    path: pathOf(pathname),
    query,
    locale,
    isLocaleAsked: isAsked,
    nowMs: Number(clock.nowMs()),
    ...made,
  };
}

/** What the page shows, all of it asked for at once. When one question is refused the others end: the page is refused, and not made of holes. */
async function documentsOf(
  c: Context<HttpEnv>,
  parts: ExplorerParts,
  signal: AbortSignal,
): Promise<PageDocuments> {
  const { pathname, search } = new URL(c.req.url);
  const needs = pageNeeds(explorerPageOf(pathOf(pathname), search.slice(1)));
  const ended = new AbortController();
  return withAnySignal([signal, ended.signal], async (either) => {
    try {
      const asked = needs.map(async (need) => [need, await ask(c, need, parts, either)] as const);
      return Object.fromEntries(await Promise.all(asked));
    } finally {
      ended.abort();
    }
  });
}

/** Asks the node's own REST interface, as the caller of the page. Throws `http/too-many-requests` when it refuses. */
async function ask(
  c: Context<HttpEnv>,
  path: string,
  { rest, clock }: ExplorerParts,
  signal: AbortSignal,
): Promise<PageDocument> {
  const request = new Request(new URL(path, "http://node.invalid"), { signal });
  const answer = await rest.fetch(request, c.env);
  throwIfAborted(signal);
  if (answer.status === TOO_MANY) {
    const retryAfter = Number(answer.headers.get("retry-after") ?? RPC_LIMITS.explorerRetryS);
    throw new SvcError("http/too-many-requests", { retryAfter });
  }
  return {
    status: answer.status,
    body: await answer.text(),
    asOfMs: Number(clock.nowMs()),
    isStale: false,
  };
}

function refusalOf(error: SvcError): PageRefusal | null {
  const retryAfterS = Number(error.data["retryAfter"] ?? RPC_LIMITS.explorerRetryS);
  if (SvcError.is(error, "http/too-many-requests")) return { status: TOO_MANY, retryAfterS };
  return SvcError.is(error, "http/timeout") ? { status: 503, retryAfterS } : null;
}

function written(c: Context<HttpEnv>, { html, status, headers }: PageAnswer): Response {
  const known = STATUSES.find((one) => one === status) ?? 503;
  return c.body(html, known, { ...headers });
}
