/** Head of an explorer page: its title, what search engines and share previews are told, its files. */
import {
  EXPLORER_SITEMAP,
  explorerPageOf,
  type ExplorerPage,
  type PageKind,
} from "@svc/shared/explorer/explorerPaths.ts";
import {
  LOCALE_PARAMETER,
  PAGE_LOCALES,
  type PageLocale,
} from "@svc/shared/explorer/pageLocale.ts";
import type { PageInput } from "@svc/shared/explorer/pageRenderer.ts";
import { markup, type Markup } from "@svc/shared/gateway/page/markup.ts";
import { BUILT_ASSETS } from "./builtAssets.ts";
import type { PageTexts, PlainKey } from "./view/pageTexts.ts";
import { shortId } from "./view/pageTexts.ts";

const TITLES: { readonly [K in PageKind]: PlainKey } = {
  overview: "overview.title",
  blocks: "blocks.title",
  block: "block.title",
  transactions: "transactions.title",
  transaction: "transaction.title",
  dag: "dag.title",
  extremes: "extremes.title",
  miners: "miners.title",
  network: "network.title",
  charts: "charts.title",
  supply: "supply.title",
  check: "check.title",
  search: "search.title",
  widget: "widget.title",
  "widget-frame": "widget.frameTitle",
  "about-data": "data.title",
  unknown: "notFound.title",
};

const LEADS: { readonly [K in PageKind]: PlainKey } = {
  overview: "overview.lead",
  blocks: "blocks.lead",
  block: "blocks.lead",
  transactions: "transactions.lead",
  transaction: "hidden.disclosure",
  dag: "dag.lead",
  extremes: "extremes.lead",
  miners: "miners.lead",
  network: "network.lead",
  charts: "charts.lead",
  supply: "supply.lead",
  check: "check.lead",
  search: "search.lead",
  widget: "widget.lead",
  "widget-frame": "widget.lead",
  "about-data": "data.lead",
  unknown: "notFound.lead",
};

/** Languages as share previews name them. */
const TERRITORIES = { en: "en_GB", de: "de_DE", es: "es_ES" } as const;

/** What a page is to those who do not see it. */
export type PageAbout = {
  readonly title: string;
  readonly about: string;
  /** In the language that its address asks for; null where the server does not know its own name. */
  readonly address: string | null;
  /** Whether search engines may list it. */
  readonly isListed: boolean;
};

/** Says what a page is. */
export function pageAbout(input: PageInput, texts: PageTexts): PageAbout {
  const page = explorerPageOf(input.path, input.query);
  return {
    title: titleOf(page, texts),
    about: texts.t(LEADS[page.kind]),
    address: addressIn(input, input.isLocaleAsked ? input.locale : null),
    isListed: page.kind !== "unknown" && page.kind !== "search" && page.kind !== "widget-frame",
  };
}

/** The head. */
export function pageHead(input: PageInput, texts: PageTexts): Markup {
  const page = explorerPageOf(input.path, input.query);
  const { title, about, isListed } = pageAbout(input, texts);
  const { theme, script, preloads, catalogues, styles, icon } = BUILT_ASSETS;
  return markup`<meta charset="utf-8">
<script src="${theme}"></script>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${about}">
${isListed ? null : markup`<meta name="robots" content="noindex">`}
${addresses(input)}
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:site_name" content="${texts.t("frame.title")}">
<meta property="og:locale" content="${TERRITORIES[input.locale]}">
${picture(input, page)}
<link rel="icon" href="${icon}" type="image/svg+xml">
${styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}
${[...preloads, catalogues[input.locale]].map((href) => markup`<link rel="modulepreload" href="${href}">`)}
<script type="module" src="${script}"></script>`;
}

function titleOf(page: ExplorerPage, texts: PageTexts): string {
  const name = texts.t(TITLES[page.kind]);
  const whole = "id" in page ? `${name} ${shortId(page.id)}` : name;
  return `${whole} · ${texts.t("frame.title")}`;
}

/** The page's address in a language, or in the one that its reader gets; null where the server does not know its own name. */
function addressIn(
  { origin, base, path, query }: PageInput,
  locale: PageLocale | null,
): string | null {
  if (origin === null) return null;
  const parameters = new URLSearchParams(query);
  parameters.delete(LOCALE_PARAMETER);
  if (locale !== null) parameters.set(LOCALE_PARAMETER, locale);
  const rest = parameters.toString();
  return `${origin}${base}${path}${rest === "" ? "" : `?${rest}`}`;
}

/** Canonical address, that of each language, and the list of all pages; only a server that knows its own name can give them. */
function addresses(input: PageInput): Markup | null {
  if (input.origin === null) return null;
  const own = addressIn(input, null);
  const alternates = PAGE_LOCALES.map(
    (
      locale,
    ) => markup`<link rel="alternate" hreflang="${locale}" href="${addressIn(input, locale)}">
`,
  );
  return markup`<link rel="canonical" href="${addressIn(input, input.isLocaleAsked ? input.locale : null)}">
${alternates}<link rel="alternate" hreflang="x-default" href="${own}">
<link rel="sitemap" href="${input.base}${EXPLORER_SITEMAP}">
<meta property="og:url" content="${own}">`;
}

function picture(input: PageInput, page: ExplorerPage): Markup | null {
  const { pictures } = BUILT_ASSETS;
  const name = Object.hasOwn(pictures, page.kind) ? page.kind : "overview";
  const address = pictures[name];
  if (input.origin === null || address === undefined) return null;
  return markup`<meta property="og:image" content="${input.origin}${address}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`;
}
