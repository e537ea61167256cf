/** The charts in a browser: pictures and tables without script, plots of the same size with it. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { ChartsServer } from "./chartsServer.ts";

const ALL = [
  "Hash rate",
  "Difficulty",
  "Blocks per second",
  "Share of red blocks",
  "Payments",
  "Coins that a block mints",
  "Coins by the schedule",
];

let browser: Browser;
let server: ChartsServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await ChartsServer.start();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function open(options: BrowserContextOptions = {}, path = "/") {
  const context = await browser.newContext(options);
  await context.addInitScript(() => {
    const shifts: number[] = [];
    Reflect.set(globalThis, "shifts", shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, "value")));
    }).observe({ type: "layout-shift", buffered: true });
  });
  const opened = await openPage(context, `${server.url}${path}`);
  return { ...opened, context };
}

const chart = (page: Page, title: string) =>
  page.locator("figure.chart").filter({ has: page.getByRole("heading", { name: title }) });

async function untilPlotted(page: Page): Promise<void> {
  await expect.poll(() => page.locator(".chart-live canvas").count()).toBe(ALL.length);
}

describe("the charts", () => {
  test("are pictures with words, tables and links where no script runs", async () => {
    const { page, context } = await open({ javaScriptEnabled: false });
    for (const title of ALL) {
      const still = chart(page, title).locator("svg.chart-still");
      expect(await still.locator(".chart-line").getAttribute("d")).toMatch(/^M[\d.]+ [\d.]+L/);
      expect(await still.getAttribute("aria-label")).toContain(`${title}: `);
      expect((await still.boundingBox())?.height).toBeGreaterThan(150);
    }
    await chart(page, "Hash rate").getByText("Show as a table").click();
    const rows = chart(page, "Hash rate").locator("tbody tr");
    expect(await rows.count()).toBeLessThanOrEqual(PAGE_LIMITS.chartTableRows);
    expect(await rows.last().innerText()).toMatch(/UTC|2026/);
    await context.close();
  });

  test("become plots of the same size, without a fault and without anything moving", async () => {
    const { page, watch, context } = await open();
    await untilPlotted(page);
    const moved = await page.evaluate(() => {
      const shifts: unknown = Reflect.get(globalThis, "shifts");
      return Array.isArray(shifts)
        ? shifts.reduce((sum: number, each) => sum + Number(each), 0)
        : 1;
    });
    expect(moved).toBeLessThan(0.01);
    for (const title of ALL) {
      const box = await chart(page, title).locator(".chart-plot").boundingBox();
      expect(box?.height).toBe(220);
    }
    expect(watch.faults).toEqual([]);
    expect(watch.strangers).toEqual([]);
    await context.close();
  });

  test("speak the language of the page where no script runs", async () => {
    const german = await open({ javaScriptEnabled: false }, "/?lang=de");
    expect(await german.page.getByText("hier stehen wir").count()).toBe(2);
    const spanish = await open({ javaScriptEnabled: false }, "/?lang=es");
    expect(await spanish.page.getByText("estamos aquí").count()).toBe(2);
    await german.context.close();
    await spanish.context.close();
  });
});
