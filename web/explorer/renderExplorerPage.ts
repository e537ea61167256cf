/** Renders a page of the explorer on a server, node or edge Worker. The build makes one module without imports of it (docs/design/explorer.md). */
import { createComponent, renderToString } from "solid-js/web";
import {
  explorerPageOf,
  pageNeeds,
  type ExplorerPage,
} from "@svc/shared/explorer/explorerPaths.ts";
import type {
  PageAnswer,
  PageDocuments,
  PageInput,
  RenderExplorerPage,
} from "@svc/shared/explorer/pageRenderer.ts";
import { DocumentStore } from "./live/documentStore.ts";
import { linkedData } from "./linkedData.ts";
import { pageHead } from "./pageHead.ts";
import { pageHeaders } from "./pageHeaders.ts";
import { refusedPage } from "./refusedPage.ts";
import { PageBody } from "./pages/PageBody.tsx";
import { de } from "./texts/de.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { sitemap } from "./sitemap.ts";
import { pageTexts } from "./view/pageTexts.ts";

const CATALOGUES = { en, de, es };
/** Pages about one thing: without its document there is no such page. */
const ABOUT_ONE: readonly string[] = ["block", "transaction"];

/** Renders a page. Documents that cannot be shown at all leave a page without any. */
export const renderExplorerPage: RenderExplorerPage = (input) => {
  try {
    return sitemap(input) ?? rendered(input);
  } catch {
    return rendered({ ...input, documents: {} });
  }
};

function rendered(input: PageInput): PageAnswer {
  const { refusal } = input;
  if (refusal !== undefined) {
    return refusedPage(input, refusal, pageTexts(input.locale, CATALOGUES[input.locale]));
  }
  const page = explorerPageOf(input.path, input.query);
  const status = statusOf(page, input.documents);
  const texts = pageTexts(input.locale, CATALOGUES[input.locale]);
  const store = new DocumentStore(input.documents);
  const now = () => input.nowMs;
  const lend = () => () => undefined;
  const frame = { ...input, texts, page, store, now, lend };
  const body = renderToString(() => createComponent(PageBody, { frame }));
  const data = status === 200 ? linkedData(input, texts) : null;
  const told = data === null ? "" : `<script type="application/ld+json">${inPage(data)}</script>\n`;
  const html = `<!doctype html>
<html lang="${input.locale}">
<head>
${pageHead(input, texts).toString()}
${told}</head>
<body>
<div id="root">${body}</div>
<script type="application/json" id="page-input">${embedded(input, page)}</script>
</body>
</html>
`;
  return { status, headers: pageHeaders(input, status), html };
}

function statusOf(page: ExplorerPage, documents: PageDocuments): number {
  if (page.kind === "unknown") return 404;
  const [about] = pageNeeds(page);
  const document = about === undefined ? undefined : documents[about];
  if (document === undefined) return about === undefined ? 200 : 503;
  if (ABOUT_ONE.includes(page.kind) && document.status === 404) return 404;
  return document.status >= 500 || document.status === 429 ? 503 : 200;
}

/** What the page is made from, for the browser to go on with. */
function embedded(input: PageInput, page: ExplorerPage): string {
  const { documents, ...rest } = input;
  const kept = Object.entries(documents).filter(
    ([path]) => page.kind !== "about-data" || path !== "/openapi.json",
  );
  return inPage({ ...rest, documents: Object.fromEntries(kept) });
}

/** Data as they stand in a page: no text of them can end the element that they stand in. */
function inPage(data: object): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
