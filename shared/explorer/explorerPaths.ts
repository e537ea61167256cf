/** Pages of the explorer: which page a path names, and which documents of the public REST interface it shows (specification explorer B, C8). */

/** Windows of the charts. */
export const CHART_WINDOWS = ["24h", "7d", "30d", "1y"] as const;
export type ChartWindow = (typeof CHART_WINDOWS)[number];

/** What the search field was given: a hash, or a number that may be a blue score or a DAA score. */
export type SearchTerm =
  | { readonly kind: "empty" }
  | { readonly kind: "hash"; readonly hash: string }
  | { readonly kind: "number"; readonly score: string }
  | { readonly kind: "other"; readonly text: string };

/** A page of the explorer, with what its address says. */
export type ExplorerPage =
  | { readonly kind: "overview" }
  | { readonly kind: "blocks"; readonly before: string | null }
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "transactions"; readonly before: string | null }
  | { readonly kind: "transaction"; readonly id: string }
  /** `minute`: Unix minutes of the past that is replayed; null follows the chain. */
  | { readonly kind: "dag"; readonly minute: string | null }
  | { readonly kind: "extremes" }
  | { readonly kind: "miners" }
  | { readonly kind: "network" }
  | { readonly kind: "charts"; readonly window: ChartWindow }
  | { readonly kind: "supply" }
  | { readonly kind: "check" }
  | { readonly kind: "search"; readonly term: SearchTerm }
  | { readonly kind: "widget" }
  /** What other pages show in a frame. */
  | { readonly kind: "widget-frame" }
  | { readonly kind: "about-data" }
  | { readonly kind: "unknown" };

/** Name of a kind of page. */
export type PageKind = ExplorerPage["kind"];

/** Path of the list of pages for search engines, below the explorer's place. The renderer makes it as it makes pages. */
export const EXPLORER_SITEMAP = "/sitemap.xml";

/** Rows of a list on one page. */
export const LIST_ROWS = 40;
/** Blocks of the overview. */
export const NEWEST_ROWS = 12;
/** Blocks that the live graph begins with. */
export const GRAPH_ROWS = 120;

const HASH = /^[0-9a-f]{64}$/;
/** At most 64 bits. */
const SCORE = /^(?:0|[1-9]\d{0,19})$/;
/** Unix minutes until the year 3000. */
const MINUTE = /^\d{1,9}$/;
/** What a cursor may consist of; the server that made it judges it. */
const CURSOR = /^[\w.~-]{1,200}$/;
/** Characters of a search that are looked at. */
const TERM_CHARS = 200;

const PLAIN: Readonly<Record<string, ExplorerPage>> = {
  "/": { kind: "overview" },
  "/dag/extremes": { kind: "extremes" },
  "/miners": { kind: "miners" },
  "/network": { kind: "network" },
  "/supply": { kind: "supply" },
  "/check": { kind: "check" },
  "/widget": { kind: "widget" },
  "/widget/frame": { kind: "widget-frame" },
  "/about-data": { kind: "about-data" },
};

/** The page of a path below the explorer's place, `/` for the first one. `query`: without its question mark. */
export function explorerPageOf(path: string, query: string): ExplorerPage {
  const plain = Object.hasOwn(PLAIN, path) ? PLAIN[path] : undefined;
  if (plain !== undefined) return plain;
  const parameters = new URLSearchParams(query);
  const matching = (name: string, form: RegExp): string | null => {
    const value = parameters.get(name);
    return value !== null && form.test(value) ? value : null;
  };
  switch (path) {
    case "/blocks":
      return { kind: "blocks", before: matching("before", CURSOR) };
    case "/transactions":
      return { kind: "transactions", before: matching("before", CURSOR) };
    case "/dag":
      return { kind: "dag", minute: matching("minute", MINUTE) };
    case "/charts":
      return { kind: "charts", window: windowOf(parameters.get("window")) };
    case "/search":
      return { kind: "search", term: searchTermOf(parameters.get("q") ?? "") };
    default:
      return itemOf(path);
  }
}

/** What somebody typed or pasted. Hashes may have capital letters and a `0x`. */
export function searchTermOf(typed: string): SearchTerm {
  const text = typed.slice(0, TERM_CHARS).trim();
  if (text === "") return { kind: "empty" };
  const hash = text.toLowerCase().replace(/^0x/, "");
  if (HASH.test(hash)) return { kind: "hash", hash };
  const score = text.replaceAll(/[\s,._'’]/g, "");
  return SCORE.test(score) ? { kind: "number", score } : { kind: "other", text };
}

/** The path of a page below the explorer's place, with its query; the inverse of `explorerPageOf`. */
export function explorerPathOf(page: ExplorerPage): string {
  switch (page.kind) {
    case "overview":
      return "/";
    case "blocks":
    case "transactions":
      return page.before === null ? `/${page.kind}` : `/${page.kind}?before=${page.before}`;
    case "block":
      return `/blocks/${page.id}`;
    case "transaction":
      return `/transactions/${page.id}`;
    case "dag":
      return page.minute === null ? "/dag" : `/dag?minute=${page.minute}`;
    case "extremes":
      return "/dag/extremes";
    case "charts":
      return page.window === "24h" ? "/charts" : `/charts?window=${page.window}`;
    case "search":
      return "/search";
    case "widget-frame":
      return "/widget/frame";
    case "unknown":
      return "/unknown";
    default:
      return `/${page.kind}`;
  }
}

const INDEX_FACTS = "/info/index";
const CHAIN_FACTS = "/info/blockdag";

/**
 * Paths of the documents that a page shows, below `/api`, the one that it is about first. Whoever renders a page asks for them, all at
 * once. A page that shows what a browser alone may know needs none.
 */
export function pageNeeds(page: ExplorerPage): readonly string[] {
  switch (page.kind) {
    case "overview":
      return [
        CHAIN_FACTS,
        `/blocks/recent?limit=${NEWEST_ROWS}`,
        "/info/pulse?window=15m",
        "/info/shielded",
        "/info/coinsupply",
        "/info/halving",
        "/info/mempool",
        "/info/fee-estimate",
        "/info/rules",
        INDEX_FACTS,
      ];
    case "blocks":
      return [recentPath(page.before), CHAIN_FACTS, INDEX_FACTS];
    case "transactions":
      return [
        recentPath(page.before),
        CHAIN_FACTS,
        "/transactions/count",
        "/info/mempool",
        INDEX_FACTS,
      ];
    case "block":
      return [`/blocks/${page.id}`, CHAIN_FACTS, INDEX_FACTS];
    case "transaction":
      return [`/transactions/${page.id}`, CHAIN_FACTS, INDEX_FACTS];
    case "dag":
      return page.minute === null
        ? [`/blocks/recent?limit=${GRAPH_ROWS}`, CHAIN_FACTS, INDEX_FACTS]
        : [`/blocks/window?minute=${page.minute}`, CHAIN_FACTS, INDEX_FACTS];
    case "extremes":
      return ["/info/extremes", CHAIN_FACTS, INDEX_FACTS];
    case "miners":
      return ["/info/miners", "/info/merged-mining", CHAIN_FACTS, INDEX_FACTS];
    case "network":
      return ["/info/nodes", "/info/network", "/info/relay", CHAIN_FACTS, INDEX_FACTS];
    case "charts":
      return chartNeeds(page.window);
    case "supply":
      return ["/info/shielded", "/info/coinsupply", "/info/halving", CHAIN_FACTS, INDEX_FACTS];
    case "search":
      return searchNeeds(page.term);
    case "widget":
    case "widget-frame":
      return [CHAIN_FACTS, "/info/pulse?window=15m", "/info/halving"];
    case "about-data":
      return ["/openapi.json", CHAIN_FACTS, INDEX_FACTS];
    case "check":
    case "unknown":
      return [CHAIN_FACTS, INDEX_FACTS];
  }
}

/** The same document as CSV, for the rows that have one. */
export function csvPathOf(restPath: string): string {
  const [path = "", query] = restPath.split("?", 2);
  return query === undefined ? `${path}.csv` : `${path}.csv?${query}`;
}

function itemOf(path: string): ExplorerPage {
  const [, list, id, ...more] = path.split("/");
  if (id === undefined || more.length > 0 || !HASH.test(id)) return { kind: "unknown" };
  if (list === "blocks") return { kind: "block", id };
  return list === "transactions" ? { kind: "transaction", id } : { kind: "unknown" };
}

function windowOf(text: string | null): ChartWindow {
  return CHART_WINDOWS.find((window) => window === text) ?? "24h";
}

function recentPath(before: string | null): string {
  const path = `/blocks/recent?limit=${LIST_ROWS}`;
  return before === null ? path : `${path}&before=${before}`;
}

function chartNeeds(window: ChartWindow): readonly string[] {
  return [
    `/info/work-history?window=${window}`,
    "/info/pulse?window=15m",
    "/info/reorgs?limit=50",
    CHAIN_FACTS,
    INDEX_FACTS,
  ];
}

/** Without script the term is in the address, and the server looks for it; with script the page asks for a bucket instead. */
function searchNeeds(term: SearchTerm): readonly string[] {
  if (term.kind === "hash") {
    return [`/blocks/${term.hash}`, `/transactions/${term.hash}`, CHAIN_FACTS, INDEX_FACTS];
  }
  if (term.kind === "number") {
    return [
      `/blocks/at?blueScore=${term.score}`,
      `/blocks/at?daaScore=${term.score}`,
      CHAIN_FACTS,
      INDEX_FACTS,
    ];
  }
  return [CHAIN_FACTS, INDEX_FACTS];
}
