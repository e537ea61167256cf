/** The charts in a browser: as pictures without script, as plots with it, by pointer and by keyboard. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { ChartsServer } from "./chartsServer.ts";

const TIMED = ["Hash rate", "Difficulty", "Blocks per second", "Share of red blocks", "Payments"];
const ALL = [...TIMED, "Coins that a block mints", "Coins by the schedule"];

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

  test("have a CSV link, a stable JSON address and windows each", async () => {
    const { page, context } = await open();
    for (const title of TIMED) {
      const one = chart(page, title);
      expect(await one.getByRole("link", { name: "CSV" }).getAttribute("href")).toBe(
        "/api/info/work-history.csv?window=7d",
      );
      expect(await one.getByRole("link", { name: "JSON" }).getAttribute("href")).toBe(
        "/api/info/work-history?window=7d",
      );
      const current = one.locator("nav a[aria-current]");
      expect(await current.innerText()).toBe("7d");
    }
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

  test("are read by keyboard and by pointer alike", async () => {
    const { page, context } = await open();
    await untilPlotted(page);
    const slider = chart(page, "Blocks per second").getByRole("slider");
    await slider.focus();
    const newest = await slider.getAttribute("aria-valuetext");
    await page.keyboard.press("ArrowLeft");
    const before = await slider.getAttribute("aria-valuetext");
    expect(before).not.toBe(newest);
    expect(await slider.getAttribute("aria-valuenow")).toBe("166");
    await page.keyboard.press("Home");
    expect(await slider.getAttribute("aria-valuetext")).toContain("Nov 18, 2026");
    const plot = slider.locator(".u-over");
    await plot.hover({ position: { x: 100, y: 50 } });
    const readout = chart(page, "Blocks per second").locator(".chart-readout");
    expect(await readout.innerText()).toBe(await slider.getAttribute("aria-valuetext"));
    await context.close();
  });

  test("say where there were no blocks, and leave a gap there", async () => {
    const { page, context } = await open();
    await untilPlotted(page);
    const line = await chart(page, "Hash rate").locator(".chart-line").getAttribute("d");
    expect(line?.match(/M/g)).toHaveLength(2);
    const slider = chart(page, "Hash rate").getByRole("slider");
    await slider.focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 40; step += 1) await page.keyboard.press("ArrowRight");
    expect(await slider.getAttribute("aria-valuetext")).toContain("no blocks");
    await context.close();
  });

  test("show on the emission and the supply where the chain is, and nothing for another schedule", async () => {
    const { page, context } = await open({ javaScriptEnabled: false });
    expect(await chart(page, "Coins that a block mints").innerText()).toContain(
      "you are here: 56.63",
    );
    expect(await chart(page, "Coins by the schedule").innerText()).toContain("you are here: 75");
    expect(await page.locator(".chart-mark").count()).toBe(2);
    expect(await page.getByText("mints by another schedule").count()).toBe(1);
    await context.close();
  });

  test("take the colours of the theme, and speak the language of the page", async () => {
    const { page, context } = await open({ colorScheme: "dark" });
    await untilPlotted(page);
    const pixel = () =>
      page
        .locator(".chart-live canvas")
        .first()
        .evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ""));
    const dark = await pixel();
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(pixel).not.toBe(dark);
    await context.close();
    const german = await open({ javaScriptEnabled: false }, "/?lang=de");
    expect(await german.page.getByText("hier stehen wir").count()).toBe(2);
    const spanish = await open({ javaScriptEnabled: false }, "/?lang=es");
    expect(await spanish.page.getByText("estamos aquí").count()).toBe(2);
    await german.context.close();
    await spanish.context.close();
  });

  test("fit a phone", async () => {
    const { page, context } = await open({ viewport: { width: 390, height: 800 } });
    await untilPlotted(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await context.close();
  });
});
