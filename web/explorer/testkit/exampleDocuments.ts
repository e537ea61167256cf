/** Documents for pages in tests: the examples of the table of the public REST interface, so that a page is tried with every row it shows. */
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { explorerPageOf, pageNeeds } from "@svc/shared/explorer/explorerPaths.ts";
import type { PageDocument, PageDocuments } from "@svc/shared/explorer/pageRenderer.ts";
import { restDocument } from "@svc/shared/protocol/rest/openApi.ts";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";

/** Unix ms: seconds after the newest block of the examples. */
export const EXAMPLE_NOW_MS = 1_795_678_905_000;

/** The answer of 503 that a node gives that keeps no index. */
export const NO_INDEX: PageDocument = {
  status: 503,
  body: JSON.stringify({
    error: "Not now: this node keeps no index.",
    code: "http/unavailable",
    reason: "this node keeps no index",
  }),
  asOfMs: EXAMPLE_NOW_MS,
  isStale: false,
};

/** The example answer of a path. Throws for a path of no row. */
export function exampleAnswer(path: string): PageDocument {
  const body = path === "/openapi.json" ? JSON.stringify(restDocument()) : exampleBody(path);
  return { status: 200, body, asOfMs: EXAMPLE_NOW_MS, isStale: false };
}

/** The documents that a page needs, from the examples. */
export function exampleDocuments(path: string, query: string): PageDocuments {
  const needs = pageNeeds(explorerPageOf(path, query));
  return Object.fromEntries(needs.map((need) => [need, exampleAnswer(need)]));
}

function exampleBody(path: string): string {
  const [bare = ""] = path.split("?", 1);
  const rows = Object.values(REST_ROUTES).filter((row) => row.method === "GET");
  const exact = rows.find((row) => row.path === bare);
  const row = exact ?? rows.find((one) => formOf(one.path).test(bare));
  if (row === undefined) throw new Error(`no row has the path ${path}`);
  return jsonText(row.example.answer);
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
