/** The charts over a week of made-up bins: read by keyboard and by pointer, with a gap where there were no blocks, in three languages. */
import { PAGE_LOCALES, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { createComponent } from "solid-js";
import { render } from "solid-js/web";
import { describe, expect, onTestFinished, test } from "vitest";
import { commands, page, userEvent, type Locator } from "vitest/browser";
import { CHART_TEXTS } from "../../explorer/charts/chartTexts.ts";
import { ChartsPage } from "../../explorer/testkit/ChartsPage.tsx";
import { screenFaults } from "../testkit/screenFaults.ts";
import "./testkit/showExplorer.ts";
import { showPart } from "./testkit/showPart.ts";

const TIMED = ["Hash rate", "Difficulty", "Blocks per second", "Share of red blocks", "Payments"];
const MINTED = "Coins that a block mints";
const SUPPLY = "Coins by the schedule";
/** Controls that are no link in a line of text. */
const TARGETS = "button, summary, [role=slider]";
/** Bin without blocks in the made-up week. */
const EMPTY = 40;

/** Shows the charts until the test ends; resolves when each is a plot. */
async function showCharts(locale: PageLocale = "en"): Promise<void> {
  showPart(locale, (place) => render(() => createComponent(ChartsPage, { locale }), place));
  onTestFinished(() => commands.emulateMedia({ colorScheme: null }));
  const figures = document.querySelectorAll("figure.chart").length;
  await expect.poll(() => document.querySelectorAll(".chart-live canvas").length).toBe(figures);
}

/** The first chart of this name. */
function chart(title: string): HTMLElement {
  const all = document.querySelectorAll<HTMLElement>("figure.chart");
  const first = [...all].find((one) => one.querySelector("h3")?.textContent === title);
  if (first === undefined) throw new Error(`no chart is called ${title}`);
  return first;
}

const sliderOf = (title: string): Locator => page.elementLocator(chart(title)).getByRole("slider");
const said = (title: string) => sliderOf(title).element().getAttribute("aria-valuetext") ?? "";

describe("the charts", () => {
  test("are read by keyboard and by pointer alike", async () => {
    await showCharts();
    const slider = sliderOf("Blocks per second");
    const element = slider.element();
    if (!(element instanceof HTMLElement)) throw new TypeError("the slider is no element of HTML");
    element.focus();
    const newest = said("Blocks per second");
    await userEvent.keyboard("{ArrowLeft}");
    expect(said("Blocks per second")).not.toBe(newest);
    expect(element.getAttribute("aria-valuenow")).toBe("166");
    await userEvent.keyboard("{End}");
    expect(said("Blocks per second")).toBe(newest);
    await userEvent.keyboard("{Home}");
    const oldest = said("Blocks per second");
    expect(oldest).toContain("Nov 18, 2026");
    const over = element.querySelector(".u-over");
    if (over === null) throw new Error("the plot has no ground");
    await userEvent.hover(page.elementLocator(over), { position: { x: 100, y: 50 } });
    await expect.poll(() => said("Blocks per second")).not.toBe(oldest);
    expect(chart("Blocks per second").querySelector(".chart-readout")?.textContent).toBe(
      said("Blocks per second"),
    );
  });

  test("say where there were no blocks, and leave a gap there", async () => {
    await showCharts();
    const line = chart("Hash rate").querySelector(".chart-line")?.getAttribute("d");
    expect(line?.match(/M/g)).toHaveLength(2);
    const element = sliderOf("Hash rate").element();
    if (element instanceof HTMLElement) element.focus();
    await userEvent.keyboard(`{Home}{ArrowRight>${EMPTY}/}`);
    expect(said("Hash rate")).toContain("no blocks");
    await userEvent.keyboard("{ArrowRight}");
    expect(said("Hash rate")).not.toContain("no blocks");
  });

  test("have a CSV file and a document behind them each", async () => {
    await showCharts();
    for (const title of TIMED) {
      const links = [...chart(title).querySelectorAll(".chart-note a")].map((link) => [
        link.textContent,
        link.getAttribute("href"),
      ]);
      expect(links).toEqual([
        ["CSV", "/api/info/work-history.csv?window=7d"],
        ["JSON", "/api/info/work-history?window=7d"],
      ]);
    }
  });

  test("mark where the chain is, and nothing where it mints by another schedule", async () => {
    await showCharts();
    expect(chart(MINTED).innerText).toContain("you are here: 56.63");
    expect(chart(SUPPLY).innerText).toContain("you are here: 75");
    await expect.element(page.getByText("mints by another schedule")).toBeVisible();
    expect(document.body.innerText.match(/you are here/g)).toHaveLength(2);
  });

  test("take the colours of the theme", async () => {
    await commands.emulateMedia({ colorScheme: "dark" });
    await showCharts();
    const drawn = () => document.querySelector("canvas")?.toDataURL();
    const dark = drawn();
    await commands.emulateMedia({ colorScheme: "light" });
    await expect.poll(drawn).not.toBe(dark);
  });

  test.each(PAGE_LOCALES)("are whole in %s, in each width and colour", async (locale) => {
    await showCharts(locale);
    expect(document.body.innerText).toContain(CHART_TEXTS[locale].csv);
    expect(document.body.innerText).not.toMatch(/NaN|undefined|\[object/);
    expect(await screenFaults(locale, TARGETS)).toEqual([]);
  });
});
