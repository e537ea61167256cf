/** The built renderer over the examples of the REST table: what pages say and do not say, in which files, under which policy. */
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { PAGE_LOCALES, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import {
  RENDERER_FILE,
  type PageAnswer,
  type PageDocument,
  type PageDocuments,
  type RenderExplorerPage,
} from "@svc/shared/explorer/pageRenderer.ts";
import { BROWSER_TARGET } from "../build/browserTarget.ts";
import { buildExplorerFiles, type ExplorerFiles } from "../build/explorerFiles.ts";
import { builtRenderer } from "./testkit/builtRenderer.ts";
import { EXAMPLE_NOW_MS, exampleDocuments, NO_INDEX } from "./testkit/exampleDocuments.ts";

const HASH = "ab".repeat(32);
/** Every kind of page. */
const PATHS = [
  ["/", ""],
  ["/blocks", ""],
  [`/blocks/${HASH}`, ""],
  ["/transactions", ""],
  [`/transactions/${HASH}`, ""],
  ["/dag", ""],
  ["/dag", "minute=29927981"],
  ["/dag/extremes", ""],
  ["/miners", ""],
  ["/network", ""],
  ["/charts", "window=7d"],
  ["/supply", ""],
  ["/check", ""],
  ["/search", ""],
  ["/search", `q=${HASH}`],
  ["/search", "q=1276151"],
  ["/widget", ""],
  ["/widget/frame", ""],
  ["/about-data", ""],
  ["/nothing", ""],
] as const;
const KILOBYTE = 1_000;

let built: ExplorerFiles;
let render: RenderExplorerPage;

beforeAll(async () => {
  built = await buildExplorerFiles(BROWSER_TARGET, "/assets/theme.js");
  render = await builtRenderer(built);
});

type Wish = {
  readonly query?: string;
  readonly locale?: PageLocale;
  readonly isLocaleAsked?: boolean;
  readonly documents?: PageDocuments;
};

function page(
  path: string,
  { query = "", locale = "en", isLocaleAsked = false, documents }: Wish = {},
): PageAnswer {
  return render({
    base: "/explorer",
    apiBase: "/api",
    origin: "https://explorer.example",
    path,
    query,
    locale,
    isLocaleAsked,
    nowMs: EXAMPLE_NOW_MS,
    documents: documents ?? exampleDocuments(path, query),
  });
}

/** What a server asks for that does not know its own name. */
const NAMELESS = {
  base: "/explorer",
  apiBase: "/api",
  origin: null,
  query: "",
  locale: "en",
  isLocaleAsked: false,
  nowMs: EXAMPLE_NOW_MS,
  documents: exampleDocuments("/", ""),
} as const;

/** The page as a reader sees it without script: its text, without the data for the browser. */
function textOf({ html }: PageAnswer): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}

function withAnswer(
  path: string,
  need: string,
  change: (body: Record<string, unknown>) => void,
): PageDocuments {
  const documents = exampleDocuments(path, "");
  const body: Record<string, unknown> = JSON.parse(documents[need]?.body ?? "{}");
  change(body);
  return {
    ...documents,
    [need]: { status: 200, body: JSON.stringify(body), asOfMs: EXAMPLE_NOW_MS, isStale: false },
  };
}

describe("the built files", () => {
  it("the first page loads at most 60 kB of compressed script, in every language", () => {
    for (const locale of PAGE_LOCALES) {
      const sizes = built.entryGraph(locale).map((name) => {
        const source = built.files.find((file) => file.name === name)?.source;
        if (source === undefined) throw new Error(`${name} was not built`);
        return gzipSync(source).length;
      });
      const sum = sizes.reduce((one, other) => one + other, 0);
      console.log(`first page, ${locale}: ${sum} bytes of compressed script`);
      expect(sum).toBeLessThan(60 * KILOBYTE);
    }
  });

  it("the renderer is one module that imports nothing", () => {
    const source = String(built.files.find(({ name }) => name === RENDERER_FILE)?.source);
    expect(source).not.toMatch(/^\s*import[\s{*"']|\bimport\s*\(|\brequire\s*\(/m);
  });
});

describe.each(PATHS)("the page %s?%s", (path, query) => {
  it.each(PAGE_LOCALES)("is whole in %s", (locale) => {
    const answer = page(path, { query, locale });
    expect(answer.status).toBe(path === "/nothing" ? 404 : 200);
    expect(answer.html).toContain(`<html lang="${locale}">`);
    expect(answer.headers["Content-Language"]).toBe(locale);
    expect(answer.html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(answer.html.match(/<main[ >]/g)).toHaveLength(1);
    expect(textOf(answer)).not.toMatch(/undefined|NaN|\[object|Invalid Date/);
    expect(answer.html).toMatch(/<title>[^<]+ · [^<]+<\/title>/);
    expect(answer.html).toContain('<meta property="og:title"');
    expect(answer.html).toContain('hreflang="x-default"');
  });

  it("needs nothing that its policy forbids: no inline style, no inline script, nothing from elsewhere", () => {
    const { html, headers } = page(path, { query });
    expect(html).not.toMatch(/<[^>]+ style=/);
    expect(html).not.toMatch(/<style|javascript:|<[^>]+ on\w+=/);
    for (const [script] of html.matchAll(/<script[^>]*>/g)) {
      expect(script).toMatch(/src="\/assets\/|type="application\/(?:ld\+)?json"/);
    }
    const shown = html.replaceAll(
      /<meta[^>]+>|<link rel="(?:canonical|alternate|sitemap)"[^>]+>|<pre[\s\S]*?<\/pre>|<script type="application\/json"[\s\S]*?<\/script>/g,
      "",
    );
    const foreign = [...shown.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].map(([, url]) => url);
    expect(foreign).toEqual([]);
    expect(headers["Content-Security-Policy"]).toMatch(/^default-src 'none'; /);
  });

  it("has headings for all columns and rows of its tables, and no step between headings", () => {
    const { html } = page(path, { query });
    for (const [table] of html.matchAll(/<table[\s\S]*?<\/table>/g)) {
      expect(table).toContain("<caption");
      expect(table.match(/<th(?![a-z])/g)?.length).toBe(
        table.match(/<th [^>]*scope="(?:col|row)"/g)?.length,
      );
    }
    const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    for (const [at, level] of levels.entries())
      expect(level - (levels[at - 1] ?? 0)).toBeLessThan(2);
  });

  it("says what it can where the node keeps no index or does not answer, and is never blank", () => {
    const needs = Object.keys(exampleDocuments(path, query));
    const documents = Object.fromEntries(needs.map((need) => [need, NO_INDEX] as const));
    const answer = page(path, { query, documents });
    expect([200, 404, 503]).toContain(answer.status);
    if (answer.status === 503) expect(answer.headers["Retry-After"]).toBe("10");
    expect(textOf(answer).length).toBeGreaterThan(100);
  });

  it("is shown in spite of documents of another form, which a lying server sends", () => {
    const lies = [
      "null",
      "[]",
      "{}",
      "7",
      '"x"',
      "<html>",
      '[{"block_hash":7}]',
      '{"header":null}',
    ];
    for (const body of lies) {
      const lie: PageDocument = { status: 200, body, asOfMs: 0, isStale: false };
      const needs = Object.keys(exampleDocuments(path, query));
      const documents = Object.fromEntries(needs.map((need) => [need, lie] as const));
      expect(page(path, { query, documents }).html).toContain("<h1");
    }
  });
});

describe("a refused page", () => {
  const refused = (status: 429 | 503, locale: PageLocale, path = "/"): PageAnswer =>
    render({
      base: "/explorer",
      apiBase: "/api",
      origin: "https://explorer.example",
      path,
      query: "",
      locale,
      isLocaleAsked: false,
      nowMs: EXAMPLE_NOW_MS,
      documents: exampleDocuments("/", ""),
      refusal: { status, retryAfterS: 7 },
    });

  it.each(PAGE_LOCALES)("says in %s why and when to ask again, and shows no data", (locale) => {
    for (const status of [429, 503] as const) {
      const answer = refused(status, locale);
      const { "Retry-After": retryAfter, "Cache-Control": kept } = answer.headers;
      expect([answer.status, retryAfter, kept]).toEqual([status, "7", "no-store"]);
      expect(answer.headers["Content-Security-Policy"]).toContain("default-src 'none'");
      expect(answer.headers["Content-Language"]).toBe(locale);
      expect(answer.html).toContain(`<html lang="${locale}">`);
      expect(answer.html.match(/<h1>/g)).toHaveLength(1);
      expect(textOf(answer)).toContain("7");
      expect(answer.html).not.toContain("page-input");
      expect(answer.html).not.toContain("net-");
    }
    expect(textOf(refused(429, locale))).not.toBe(textOf(refused(503, locale)));
  });

  it("has nothing of its address in it", () => {
    const { html } = refused(429, "en", `/blocks/${HASH}"><script>`);
    expect(html).not.toContain(HASH);
  });
});

describe("the transaction page", () => {
  const need = `/transactions/${HASH}`;

  it.each([
    ["waiting", "It waits in the pool of this node"],
    ["included", "It has no effect so far"],
    ["applied", "A block of the chain has applied it"],
    ["dropped", "nothing was paid by it"],
  ])("says in words what %s means", (status, words) => {
    const documents = withAnswer(need, need, (body) => {
      Object.assign(body, {
        status,
        drop_reason: status === "dropped" ? "tx/nullifier-spent" : null,
      });
    });
    const text = textOf(page(need, { documents }));
    expect(text).toContain(words);
    if (status === "dropped") expect(text).toContain("a note of it was already spent");
  });

  it.each(["included", "dropped"])("says of %s where the index is behind", (status) => {
    const words = "a block may have applied it all the same";
    const shown = (more: object): string =>
      textOf(
        page(need, {
          documents: withAnswer(need, need, (body) => Object.assign(body, { status, ...more })),
        }),
      );
    expect(shown({ status_reason: "the index is behind the chain" })).toContain(words);
    expect(shown({})).not.toContain(words);
  });

  it("never calls a transaction paid, accepted or confirmed because a block carries it", () => {
    const documents = withAnswer(need, need, (body) => {
      Object.assign(body, {
        status: "included",
        is_accepted: false,
        confirmations: 0,
        accepting_block_hash: null,
      });
    });
    expect(textOf(page(need, { documents }))).not.toMatch(/\bpaid\b(?!:)|accepted|confirmation/i);
  });

  it("shows a number of actions as what it is, and no amount of a payment", () => {
    const documents = withAnswer(need, need, (body) => Object.assign(body, { actions: 37 }));
    const text = textOf(page(need, { documents }));
    expect(text).toContain("37");
    expect(text).not.toMatch(/37(?:\.\d+)? coins|0\.00000037/);
    expect(text).toContain("How much: sealed");
  });

  it.each([
    ["chain/unknown-transaction", undefined, "has never seen this hash"],
    ["chain/pruned", undefined, "the node has pruned it"],
    ["chain/unknown-block", "header-only", "waits for its transactions"],
    ["chain/unknown-transaction", "not-covered", "outside of what the index"],
  ])("of an unknown hash (%s, %s) says why, with 404", (code, reason, words) => {
    const fault = { error: "Unknown.", code, reason };
    const documents = {
      ...exampleDocuments(need, ""),
      [need]: { status: 404, body: JSON.stringify(fault), asOfMs: EXAMPLE_NOW_MS, isStale: false },
    };
    const answer = page(need, { documents });
    expect(answer.status).toBe(404);
    expect(textOf(answer)).toContain(words);
  });
});

describe("what a document says", () => {
  it("is text on the page: nothing of it becomes markup or ends the data of the page", () => {
    const evil = '</script><img src=x onerror="alert(1)">';
    const documents = withAnswer("/network", "/info/nodes", (body) => {
      Object.assign(body, { userAgents: [{ agent: evil, count: 1 }] });
    });
    const { html } = page("/network", { documents });
    expect(html).not.toContain("<img src=x");
    expect(html).not.toContain(evil);
    expect(page("/search", { query: `q=${encodeURIComponent(evil)}` }).html).not.toContain(
      "<img src=x",
    );
  });

  it("is shown with its age when it is not of now", () => {
    const documents = Object.fromEntries(
      Object.entries(exampleDocuments("/supply", "")).map(([path, document]) => [
        path,
        { ...document, asOfMs: EXAMPLE_NOW_MS - 90_000, isStale: true },
      ]),
    );
    expect(textOf(page("/supply", { documents }))).toContain("This was true 1 min ago");
  });
});

describe("countdowns", () => {
  it("there is none at the floor of the emission", () => {
    const documents = withAnswer("/", "/info/halving", (body) => {
      Object.assign(body, {
        atTailFloor: true,
        reductionPending: false,
        nextHalvingTimestamp: null,
        nextReductionDaaScore: null,
        blocksRemaining: 0,
      });
    });
    const { html } = page("/", { documents });
    expect(html).not.toContain('data-testid="countdown"');
    expect(html).toContain("has reached its floor");
    expect(page("/").html).toContain('data-testid="countdown"');
  });

  it("the next change of the rules has one, and its absence is said", () => {
    expect(textOf(page("/"))).toContain("5,707,348 blocks left");
    const documents = withAnswer("/", "/info/rules", (body) =>
      Object.assign(body, { changes: [] }),
    );
    expect(textOf(page("/", { documents }))).toContain("No change of the rules is scheduled.");
  });
});

describe("the answer", () => {
  it("lets other sites frame the widget, and nothing else", () => {
    expect(page("/widget/frame").headers["Content-Security-Policy"]).toContain("frame-ancestors *");
    for (const [path, query] of PATHS.filter(([one]) => one !== "/widget/frame")) {
      expect(page(path, { query }).headers["Content-Security-Policy"]).toContain(
        "frame-ancestors 'none'",
      );
    }
  });

  it("of a search is stored by nobody, whatever was searched", () => {
    for (const query of ["", `q=${HASH}`, "q=1276151", "q=else"]) {
      expect(page("/search", { query }).headers["Cache-Control"]).toBe("no-store");
    }
    expect(page("/blocks").headers["Cache-Control"]).toContain("s-maxage=1");
  });

  it("carries a language on that the address asked for, and says the other addresses of the page", () => {
    const { html } = page("/blocks", { query: "lang=de", locale: "de", isLocaleAsked: true });
    expect(html).toContain('href="/explorer/dag?lang=de"');
    expect(html).toContain(
      '<link rel="canonical" href="https://explorer.example/explorer/blocks?lang=de">',
    );
    expect(html).toContain('hreflang="es" href="https://explorer.example/explorer/blocks?lang=es"');
    expect(page("/blocks").html).not.toContain('lang=de">Graph');
  });

  it("has a share preview with a picture of the kind of page", () => {
    expect(page(`/transactions/${HASH}`).html).toMatch(
      /<meta property="og:image" content="https:\/\/explorer\.example\/assets\/transaction-[0-9a-f]{12}\.png">/,
    );
  });

  it("says of a reorganisation that its fork point is no longer known", () => {
    const documents = exampleDocuments("/charts", "");
    const path = "/info/reorgs?limit=50";
    const document = documents[path];
    if (document === undefined) throw new Error("the page asks for no reorganisations");
    const forkPoint = "cd".repeat(32);
    const body = document.body.replace(`"forkPoint":"${forkPoint}"`, '"forkPoint":null');
    expect(body).not.toBe(document.body);
    const all = { ...documents, [path]: { ...document, body } };
    const { html } = page("/charts", { documents: all });
    expect(html).toContain("no longer known");
    expect(html).not.toContain(`/blocks/${forkPoint}`);
  });

  it("tells search engines in data what the page is, and nothing of a search or of what is not there", () => {
    const told = (path: string, wish: Wish = {}): Record<string, unknown> | null => {
      const { html } = page(path, wish);
      const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
      return text === undefined ? null : JSON.parse(text);
    };
    expect(told(`/blocks/${HASH}`, { locale: "de" })).toEqual({
      "@context": "https://schema.org",
      "@type": "WebPage",
      name: "Block abababab…abababab · Chain-Explorer",
      description: expect.stringMatching(/Blöcke/),
      url: `https://explorer.example/explorer/blocks/${HASH}`,
      inLanguage: "de",
      isPartOf: {
        "@type": "WebSite",
        name: "Chain-Explorer",
        url: "https://explorer.example/explorer/",
        inLanguage: ["en", "de", "es"],
      },
    });
    for (const query of ["", `q=${HASH}`, "q=1276151"]) {
      expect(told("/search", { query })).toBeNull();
    }
    expect(told("/nothing")).toBeNull();
    expect(told("/widget/frame")).toBeNull();
    const gone = { status: 404, body: "{}", asOfMs: EXAMPLE_NOW_MS, isStale: false };
    const documents = { ...exampleDocuments("/", ""), [`/blocks/${HASH}`]: gone };
    expect(told(`/blocks/${HASH}`, { documents })).toBeNull();
  });

  it("has no data that end their element, whatever the address says", () => {
    const { html } = page("/blocks", { query: "before=1</script><b>" });
    expect(html).not.toContain("</script><b>");
    expect(html.match(/<script/g)?.length).toBe(html.match(/<\/script>/g)?.length);
  });

  it("is a list of the kinds of pages at /sitemap.xml, without a hash, a search or a moment", () => {
    const { status, headers, html } = page("/sitemap.xml");
    expect(status).toBe(200);
    expect(headers["Content-Type"]).toBe("application/xml; charset=utf-8");
    expect(headers["Content-Security-Policy"]).toBe("default-src 'none'");
    const places = [...html.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place);
    expect(places).toContain("https://explorer.example/explorer/");
    expect(places).toContain("https://explorer.example/explorer/supply");
    expect(new Set(places).size).toBe(places.length);
    for (const place of places) {
      const path = place?.slice("https://explorer.example/explorer".length) ?? "";
      expect(path).not.toMatch(/[0-9a-f]{16}|[?#]|search|frame/);
      const answer = page(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.html).not.toContain('content="noindex"');
      expect(answer.html).toContain('<link rel="sitemap" href="/explorer/sitemap.xml">');
    }
    // One that does not know its own name has no addresses to list.
    expect(render({ ...NAMELESS, path: "/sitemap.xml" }).status).toBe(404);
    expect(render({ ...NAMELESS, path: "/" }).html).not.toMatch(/ld\+json|rel="sitemap"/);
  });

  it("links every chart to its CSV and to its document", () => {
    const { html } = page("/charts", { query: "window=7d" });
    expect(html).toContain('href="/api/info/work-history.csv?window=7d"');
    expect(html).toContain('href="/api/info/work-history?window=7d"');
    expect(html).toContain('href="/api/info/reorgs.csv?limit=50"');
  });
});
