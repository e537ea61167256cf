/** The explorer's pages in a real browser, over the examples of the REST table: readable by all, still, in three languages, without script. */
import { createServer, type Server } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import { exampleAnswer } from "@svc/web/explorer/testkit/exampleDocuments.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { BUILT_PAGES } from "../testkit/placePages.ts";
import { ExplorerServer } from "./explorerServer.ts";

const HASH = "ab".repeat(32);
/** One of each kind. */
const PATHS = [
  "/",
  "/blocks",
  `/blocks/${HASH}`,
  "/transactions",
  `/transactions/${HASH}`,
  "/dag",
  "/dag?minute=29927981",
  "/dag/extremes",
  "/miners",
  "/network",
  "/charts",
  "/supply",
  "/check",
  `/search#${HASH}`,
  "/search?q=1276151",
  "/widget",
  "/widget/frame",
  "/about-data",
  "/nothing",
] as const;
/** Those that draw something anew while they are open. */
const MOVING = PATHS.filter((path) =>
  /^\/(?:$|blocks|transactions|dag|charts|supply|search#|widget\/frame)/.test(path),
);
const WIDTHS = [1280, 320] as const;
const SHIFT_MOST = 0.05;

let server: ExplorerServer;
let browser: Browser;

beforeAll(async () => {
  server = await ExplorerServer.start(BUILT_PAGES);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

beforeEach(() => {
  server.answer = exampleAnswer;
  server.asked.length = 0;
});

function at(path: string): string {
  return `${server.url}/explorer${path}`;
}

/**
 * Resolves when the script has taken the page over, and has drawn what it alone can draw. A network that is idle says nothing here: some
 * pages ask again and again, and may always have a question open.
 */
async function untilAlive(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.waitForFunction(
    () =>
      "_$HY" in globalThis &&
      [...document.querySelectorAll("[data-part]")].every((part) => part.childElementCount > 0),
  );
}

describe.each(WIDTHS)("at %d pixels", (width) => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width, height: 800 }, locale: "en-GB" });
  });
  afterAll(() => context.close());

  test.each(PATHS)("%s: axe finds nothing, nothing is wider than the screen", async (path) => {
    const { page, watch } = await openPage(context, at(path));
    await untilAlive(page);
    // A page follows its reader's colours while it is open: both are looked at on one.
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page), colorScheme).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    const expected = path === "/nothing" ? 1 : 0;
    expect(watch.faults.filter((fault) => fault.includes("404"))).toHaveLength(expected);
    expect(watch.faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    expect(watch.strangers).toEqual([]);
    await page.close();
  });

  test.each(MOVING)("%s: the layout hardly shifts while the page lives", async (path) => {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    let height = 0;
    server.answer = (asked) => movedOn(asked, (height += 1));
    const page = await context.newPage();
    await page.addInitScript(() => {
      Reflect.set(globalThis, "shifted", 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const value: unknown = Reflect.get(entry, "value");
          if (Reflect.get(entry, "hadRecentInput") === true || typeof value !== "number") continue;
          Reflect.set(globalThis, "shifted", Number(Reflect.get(globalThis, "shifted")) + value);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(at(path));
    await untilAlive(page);
    const before = server.asked.length;
    await expect.poll(() => server.asked.length).toBeGreaterThan(before + 2);
    expect(await page.evaluate(() => Number(Reflect.get(globalThis, "shifted")))).toBeLessThan(
      SHIFT_MOST,
    );
    await context.close();
  });
});

describe("without script", () => {
  test.each(PATHS)("%s says what it has to say", async (path) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(at(path));
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    const links = await page
      .getByRole("link")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    for (const href of links) expect(href).toMatch(/^(?:\/|#main)/);
    await context.close();
  });

  test("a search for a hash works, and says that the server was told it", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(at("/"));
    await page.getByRole("searchbox").fill(HASH);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("so the server was told it").waitFor();
    expect(await page.getByRole("link", { name: /^ababab/ }).count()).toBe(2);
    await context.close();
  });
});

describe("a search with script", () => {
  test("finds a hash, and no request holds more of it than its bucket", async () => {
    const bytes = Buffer.alloc(14 * 300);
    for (let at = 0; at < bytes.length; at += 14) {
      Buffer.from(HASH, "hex").copy(bytes, at, 0, 8);
      // All but the first are other hashes of the bucket.
      bytes.writeUInt16BE((0xabab + at) % 0x1_0000, at + 6);
      bytes.writeUInt8(4, at + 8);
      bytes.writeUInt32BE(77, at + 10);
    }
    server.answer = (path) =>
      path.startsWith("/search/")
        ? answerOf({ bits: 12, prefix: "aba", entries: bytes.toString("base64") })
        : exampleAnswer(path);
    const context = await browser.newContext();
    const { page } = await openPage(context, at("/"));
    await untilAlive(page);
    await page.getByRole("searchbox").fill(HASH.toUpperCase());
    await page.keyboard.press("Enter");
    await page.getByText("applied by the chain, at DAA score 77").waitFor();
    expect(server.asked).toContain("/api/search/12/aba");
    expect(server.asked.filter((asked) => asked.includes(HASH.slice(0, 8)))).toEqual([]);
    await context.close();
  });
});

describe("the keyboard", () => {
  test("reaches the content by the skip link, and every door by tabs, with a mark that is seen", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context, at("/"));
    await untilAlive(page);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    const outline = await page.evaluate(() =>
      document.activeElement === null ? "" : getComputedStyle(document.activeElement).outlineStyle,
    );
    expect(outline).not.toBe("none");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await context.close();
  });

  test("holds a live list still while a row has the focus", async () => {
    let height = 0;
    server.answer = (path) => movedOn(path, height);
    const context = await browser.newContext();
    const { page } = await openPage(context, at("/blocks"));
    await untilAlive(page);
    const link = page.locator("tbody a").first();
    await link.focus();
    const held = await link.getAttribute("href");
    height = 5;
    await page.getByText("The list stands still while you read it").waitFor();
    expect(await link.getAttribute("href")).toBe(held);
    await page.getByRole("searchbox").focus();
    await page.waitForFunction(
      (old) => document.querySelector("tbody a")?.getAttribute("href") !== old,
      held,
    );
    await context.close();
  });
});

describe("a hash", () => {
  test("is copied at a press, also where the browser gives no clipboard to write to", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read"] });
    for (const isGiven of [true, false]) {
      const page = await context.newPage();
      if (!isGiven) {
        await page.addInitScript(() =>
          Object.defineProperty(navigator.clipboard, "writeText", { value: undefined }),
        );
      }
      const hash = isGiven ? HASH : "cd".repeat(32);
      await page.goto(at(`/blocks/${hash}`));
      await untilAlive(page);
      await page.getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(hash);
      await page.close();
    }
    await context.close();
  });
});

describe("languages", () => {
  test.each([
    ["de-AT", "Die Kette jetzt"],
    ["es-MX", "La cadena ahora"],
    ["fr-FR", "The chain now"],
  ])("a browser of %s reads its own, if there is one", async (locale, title) => {
    const context = await browser.newContext({ locale });
    const { page, watch } = await openPage(context, at("/"));
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(title);
    await untilAlive(page);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(title);
    expect(watch.faults).toEqual([]);
    await context.close();
  });

  test("a choice is kept for later visits", async () => {
    const context = await browser.newContext({ locale: "en" });
    const { page } = await openPage(context, at("/"));
    await untilAlive(page);
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByText("Die Kette jetzt").waitFor();
    await page.goto(at("/blocks"));
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Blöcke");
    await context.close();
  });
});

test("the colours that somebody chooses hold at the next page, before it is painted", async () => {
  const context = await browser.newContext({ colorScheme: "light" });
  const { page } = await openPage(context, at("/"));
  await untilAlive(page);
  await page.getByRole("combobox", { name: "Colours" }).selectOption("dark");
  await page.goto(at("/miners"));
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await context.close();
});

describe("a node that is down", () => {
  test("leaves the last data with their age, says so, and comes back", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context, at("/"));
    await untilAlive(page);
    const supply = await page.getByTestId("supply").innerText();
    server.answer = () => ({
      status: 503,
      body: '{"error":"Not now.","code":"http/unavailable"}',
      asOfMs: 0,
      isStale: false,
    });
    await page.getByTestId("live-state").getByText("last data shown").waitFor();
    // Within its first second the age is "now".
    await page
      .getByTestId("stale")
      .first()
      .getByText(/This was true .+ ago/)
      .waitFor();
    expect(await page.getByTestId("supply").innerText()).toBe(supply);
    server.answer = exampleAnswer;
    await page.getByTestId("live-state").getByText("Live").waitFor();
    await context.close();
  });
});

describe("the widget", () => {
  let foreign: Server;
  let origin: string;
  beforeAll(async () => {
    foreign = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://x").searchParams.get("of") ?? "";
      response.setHeader("content-type", "text/html");
      response.end(
        `<!doctype html><title>shop</title><iframe src="${at(path)}" title="chain" width="320" height="260"></iframe>`,
      );
    });
    origin = `http://127.0.0.1:${await listenLocally(foreign)}`;
  });
  afterAll(() => {
    foreign.closeAllConnections();
    foreign.close();
  });

  test("is shown in a page of another site, and lives there", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/?of=/widget/frame`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "net-example" }).waitFor();
    const before = server.asked.length;
    await expect.poll(() => server.asked.length).toBeGreaterThan(before + 1);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test("no other page is", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/?of=/`, { waitUntil: "load" });
    expect(await page.frameLocator("iframe").getByRole("heading", { level: 1 }).count()).toBe(0);
    await context.close();
  });
});

function answerOf(body: unknown): PageDocument {
  return { status: 200, body: JSON.stringify(body), asOfMs: Date.now(), isStale: false };
}

/** The examples of a chain that has grown by so many blocks. */
function movedOn(path: string, height: number): PageDocument {
  if (!path.startsWith("/blocks/recent")) return exampleAnswer(path);
  const limit = Number(/limit=(\d+)/.exec(path)?.[1] ?? 1);
  const [block]: Record<string, unknown>[] = JSON.parse(exampleAnswer(path).body);
  const rows = Array.from({ length: limit }, (_, at) => {
    const score = 1_276_151 + height - at;
    return {
      ...block,
      block_hash: score.toString(16).padStart(64, "0"),
      parents: [(score - 1).toString(16).padStart(64, "0")],
      daaScore: String(score),
      blueScore: String(score),
      isChainBlock: at > 0,
      color: at > 0 ? "blue" : "none",
    };
  });
  return answerOf(rows);
}
