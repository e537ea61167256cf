/** Values of a chart without a neighbour: a line cannot show them, a dot does. */
import type { ChartSeries } from "@svc/shared/explorer/charts/workSeries.ts";
import { PAGE_LOCALES, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { CHART_TEXTS } from "../../explorer/charts/chartTexts.ts";
import { TimeChart } from "../../explorer/charts/TimeChart.tsx";
import { screenFaults } from "../testkit/screenFaults.ts";
import "./testkit/showExplorer.ts";
import { showPart } from "./testkit/showPart.ts";

const HOUR = 3_600;
const FIRST = 1_795_000_000;
const VALUE = 81;
/** Largest side of a dot in CSS pixels; a line across the chart is longer. */
const DOT = 12;

const series = (values: readonly (number | null)[]): ChartSeries => ({
  xs: values.map((_, at) => FIRST + at * HOUR),
  values,
});

/** Shows a chart until the test ends. Gives what changes its series. */
function showChart(first: ChartSeries, locale: PageLocale = "en", fromZero = true) {
  const [shown, setShown] = createSignal(first);
  const chart = () => (
    <main>
      <h1>Charts</h1>
      <h2>Over time</h2>
      <TimeChart
        title="Difficulty"
        locale={locale}
        kind="number"
        fromZero={fromZero}
        series={shown()}
      />
    </main>
  );
  showPart(locale, (place) => render(chart, place));
  return setShown;
}

/** Boxes around what is drawn in the colour of the line, in CSS pixels, as far as columns of the plot are empty between them. */
function drawnBoxes(): readonly (readonly [width: number, height: number])[] {
  const canvas = document.querySelector<HTMLCanvasElement>(".chart-live canvas");
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return [];
  const { width, height } = canvas;
  const line = getComputedStyle(canvas).getPropertyValue("--accent").trim();
  const colour = lineColour(line);
  const { data } = context.getImageData(0, 0, width, height);
  const rowsOf = (x: number) =>
    Array.from({ length: height }, (_, y) => y).filter((y) =>
      colour.every((part, at) => data[(y * width + x) * 4 + at] === part),
    );
  const boxes: { from: number; to: number; rows: number[] }[] = [];
  for (let x = 0; x < width; x += 1) {
    const rows = rowsOf(x);
    if (rows.length === 0) continue;
    const last = boxes.at(-1);
    if (last?.to === x - 1) {
      last.to = x;
      last.rows.push(...rows);
    } else boxes.push({ from: x, to: x, rows });
  }
  return boxes.map(({ from, to, rows }) => [
    (to - from + 1) / devicePixelRatio,
    (Math.max(...rows) - Math.min(...rows) + 1) / devicePixelRatio,
  ]);
}

/** A colour of the page as a canvas has it. */
function lineColour(name: string): readonly number[] {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (context === null) throw new Error("there is no canvas");
  context.fillStyle = name;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}

/** The boxes that are dots. */
const dots = () =>
  drawnBoxes().map(([wide, high]) => wide >= 3 && high >= 3 && Math.max(wide, high) <= DOT);
const still = (part: string) => document.querySelector(`.chart-still .${part}`)?.getAttribute("d");

describe("a chart shows a dot", () => {
  test.each<readonly [string, readonly (number | null)[], readonly boolean[]]>([
    ["for its only value", [VALUE], [true]],
    ["for the only value among hours without one", [null, null, VALUE, null], [true]],
    ["for the only value, at the end", [null, null, VALUE], [true]],
    [
      "for a value between two gaps, beside its line",
      [VALUE, VALUE, null, VALUE, null],
      [false, true],
    ],
    ["for no value that has a neighbour", [VALUE, VALUE, VALUE], [false]],
  ])("%s", async (_, values, drawn) => {
    showChart(series(values));
    await expect.poll(dots).toEqual(drawn);
    const count = drawn.filter((isDot) => isDot).length;
    expect(still("chart-dots")?.match(/M/g) ?? []).toHaveLength(count);
  });

  test("of which a reader is told the value and the time", async () => {
    showChart(series([VALUE]), "en", false);
    const slider = page.getByRole("slider", { name: "Difficulty" });
    await expect
      .element(slider)
      .toHaveAttribute("aria-valuetext", expect.stringMatching(/81.*Nov 18, 2026/));
    const label = document.querySelector(".chart-still")?.getAttribute("aria-label") ?? "";
    expect(label.match(/81/g)).toHaveLength(1);
  });

  test("once the first value comes, and a line once the second does", async () => {
    const change = showChart(series([]));
    await expect.element(page.getByText(CHART_TEXTS.en.nothing)).toBeVisible();
    change(series([VALUE]));
    await expect.poll(dots).toEqual([true]);
    change(series([VALUE, VALUE]));
    await expect.poll(dots).toEqual([false]);
  });

  test.each(PAGE_LOCALES)("in %s, whole in each width and colour", async (locale) => {
    showChart(series([VALUE]), locale);
    await expect.poll(dots).toEqual([true]);
    expect(document.body.innerText).not.toMatch(/NaN|undefined|\[object/);
    expect(await screenFaults(locale, "summary, [role=slider]")).toEqual([]);
  });
});
