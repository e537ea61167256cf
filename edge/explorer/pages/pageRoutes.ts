/** The pages of the explorer: each is a function of REST documents, made by the renderer that is built from `web/explorer`. */
import { Hono, type Context } from "hono";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { explorerPageOf, pageNeeds } from "@svc/shared/explorer/explorerPaths.ts";
import { pageLocaleOf } from "@svc/shared/explorer/pageLocale.ts";
import type { RenderExplorerPage } from "@svc/shared/explorer/pageRenderer.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import type { RestFacade } from "../facade/restFacade.ts";
import { restRefusal } from "../facade/restResponse.ts";
import { inShare, requestOf } from "../facade/restRoutes.ts";
import type { VisitorRates } from "../facade/visitorRates.ts";
import type { BuiltFiles } from "./builtFiles.ts";
import { pageDocuments } from "./pageDocuments.ts";

/** Dependencies of the pages. */
export type PageRoutesParts = {
  readonly facade: Pick<RestFacade, "answer">;
  readonly rates: VisitorRates;
  readonly files: BuiltFiles;
  readonly render: RenderExplorerPage;
  /** Where a request comes from. */
  readonly callerOf: (c: Context) => string;
  /** Unix ms. */
  readonly now: () => number;
  /** Hears of defects. */
  readonly onError: (error: SvcError) => void;
};

/** What a page may be, whatever the renderer says of it: nobody is told where the visitor was. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Makes the routes. */
export function pageRoutes(parts: PageRoutesParts): Hono {
  const app = new Hono();
  app.onError((thrown) => {
    const error = SvcError.from(thrown);
    parts.onError(error);
    return restRefusal(error);
  });
  app.use("*", async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (!METHODS.has(c.req.method)) {
      throw new SvcError("api/wrong-method", { method: c.req.method, allowed: "GET, HEAD" });
    }
    if (parts.files.isFile(pathname)) return fileResponse(c, pathname, parts);
    if (pathname.length > 1 && pathname.endsWith("/")) {
      return c.redirect(`${pathname.replace(/\/+$/, "").replace(/^\/*/, "/")}${search}`, 308);
    }
    return next();
  });
  app.use("*", inShare(parts));
  app.all("*", async (c) => pageResponse(c, parts));
  return app;
}

async function fileResponse(
  c: Context,
  path: string,
  { files }: PageRoutesParts,
): Promise<Response> {
  const wish = {
    accepted: acceptedOf(c),
    ifNoneMatch: c.req.header("If-None-Match") ?? null,
  };
  const file = await files.file(path, wish);
  if (file === null) throw new SvcError("http/not-found", { path });
  return file;
}

/** What the browser accepts; the platform writes a header of its own, and keeps the browser's beside it. */
function acceptedOf(c: Context): string | null {
  const kept: unknown = c.req.raw.cf?.["clientAcceptEncoding"];
  return typeof kept === "string" ? kept : (c.req.header("Accept-Encoding") ?? null);
}

async function pageResponse(c: Context, parts: PageRoutesParts): Promise<Response> {
  const { facade, render, now } = parts;
  const { pathname: path, search, origin } = new URL(c.req.url);
  const query = search.slice(1);
  const request = requestOf(c, parts);
  const asked = explorerPageOf(path, query);
  const needs = pageNeeds(asked);
  const documents = await pageDocuments(needs, { facade, request, nowMs: now() });
  const [cookie, acceptLanguage] = [c.req.header("Cookie"), c.req.header("Accept-Language")];
  const { locale, isAsked } = pageLocaleOf({ query, cookie, acceptLanguage });
  const page = render({
    ...{ base: "", apiBase: REST_PLACE, origin, path, query, documents, nowMs: now() },
    ...{ locale, isLocaleAsked: isAsked },
  });
  const headers: Record<string, string> = { ...PAGE_HEADERS, ...page.headers };
  // Its address has what somebody looked for.
  if (asked.kind === "search") headers["Cache-Control"] = "no-store";
  return new Response(c.req.method === "HEAD" ? null : page.html, { status: page.status, headers });
}
