/** The explorer's pages in a real browser, over the examples of the REST table: readable by all, still, in three languages, without script. */
import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import { exampleAnswer } from "@svc/web/explorer/testkit/exampleDocuments.ts";
import { grownChain } from "@svc/web/explorer/testkit/grownChain.ts";
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

test.each(PATHS)("%s: the script takes the page over without a fault", async (path) => {
  const context = await browser.newContext({ locale: "en-GB" });
  const { page, watch } = await openPage(context, at(path));
  await untilAlive(page);
  const expected = path === "/nothing" ? 1 : 0;
  expect(watch.faults.filter((fault) => fault.includes("404"))).toHaveLength(expected);
  expect(watch.faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  expect(watch.strangers).toEqual([]);
  await context.close();
});

describe.each(WIDTHS)("at %d pixels", (width) => {
  test.each(MOVING)("%s: the layout hardly shifts while the page lives", async (path) => {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    let height = 0;
    server.answer = (asked) => grownChain(asked, (height += 1));
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
