/** The list of pages for search engines (specification explorer C8): one of each kind, never of a block, a transaction, a search or a moment. */
import {
  EXPLORER_SITEMAP,
  explorerPathOf,
  type ExplorerPage,
} from "@svc/shared/explorer/explorerPaths.ts";
import type { PageAnswer, PageInput } from "@svc/shared/explorer/pageRenderer.ts";
import { markup } from "@svc/shared/gateway/page/markup.ts";

const OK = 200;

const LISTED: readonly ExplorerPage[] = [
  { kind: "overview" },
  { kind: "blocks", before: null },
  { kind: "transactions", before: null },
  { kind: "dag", minute: null },
  { kind: "extremes" },
  { kind: "charts", window: "24h" },
  { kind: "miners" },
  { kind: "network" },
  { kind: "supply" },
  { kind: "check" },
  { kind: "widget" },
  { kind: "about-data" },
];

/** The list; null where another page is asked for, the server refuses its caller, or does not know its own name. */
export function sitemap({ path, origin, base, refusal }: PageInput): PageAnswer | null {
  if (path !== EXPLORER_SITEMAP || origin === null || refusal !== undefined) return null;
  const places = LISTED.map(
    (page) => markup`<url><loc>${`${origin}${base}${explorerPathOf(page)}`}</loc></url>
`,
  );
  const list = markup`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${places}</urlset>
`;
  return {
    status: OK,
    headers: {
      "Content-Type": "application/xml; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "public, max-age=3600",
    },
    html: list.toString(),
  };
}
