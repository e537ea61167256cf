/**
 * Plot of a chart with axes, a cursor and its readout, by uPlot. Pages load this file when they run. The cursor follows the pointer and
 * the arrow keys alike.
 */
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { lonePlaces } from "@svc/shared/explorer/charts/lonePlaces.ts";
import type { ChartSeries } from "@svc/shared/explorer/charts/workSeries.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import {
  markSteps,
  markWriter,
  placeWriter,
  valueWriter,
  type AxisKind,
  type ValueKind,
} from "./chartForm.ts";
import { CHART_TEXTS } from "./chartTexts.ts";
import { watchTheme } from "../../state/watchTheme.ts";
import { readChartTheme, type ChartTheme } from "./chartTheme.ts";
import type { ChartMark } from "./TimeChart.tsx";
import { valueRange } from "./valueRange.ts";

/** Height of the line of the readout. */
const READOUT_PIXELS = 22;

/** Diameter of a value without a neighbour. */
const DOT_PIXELS = 7;

/** Span of the axis on each side of a single point: seconds, or DAA scores. */
const LONE_SPAN: Readonly<Record<AxisKind, number>> = { time: 43_200, score: 500 };

/** Data and form of a plot. */
export type PlotOptions = {
  readonly series: ChartSeries;
  readonly locale: PageLocale;
  readonly kind: ValueKind;
  readonly axis: AxisKind;
  readonly fromZero: boolean;
  readonly mark: ChartMark | null;
  readonly title: string;
};

/** The plot. It fills its place until `stop`. */
export class Plot {
  readonly #place: HTMLElement;
  readonly #frame: HTMLDivElement;
  readonly #readout: HTMLParagraphElement;
  readonly #undo: (() => void)[] = [];
  #options: PlotOptions;
  #plot: UPlot;
  /** Place of the cursor among the values. */
  #at: number | null = null;

  constructor(place: HTMLElement, options: PlotOptions) {
    this.#place = place;
    this.#options = options;
    this.#frame = document.createElement("div");
    this.#frame.className = "chart-live";
    this.#readout = document.createElement("p");
    this.#readout.className = "chart-readout";
    place.append(this.#frame, this.#readout);
    place.classList.add("chart-has-plot");
    this.#plot = this.#draw();
    const sizes = new ResizeObserver(() => this.#plot.setSize(sizeOf(place)));
    sizes.observe(place);
    const keys = new AbortController();
    this.#frame.addEventListener("keydown", (event) => this.#press(event), keys);
    this.#undo.push(
      () => sizes.disconnect(),
      () => keys.abort(),
      watchTheme(() => this.#redraw()),
    );
    this.#describe();
  }

  /** Shows something else in the same place. Newer data leave the cursor where it is. */
  show(options: PlotOptions): void {
    this.#options = options;
    if (this.#at !== null && this.#at >= options.series.xs.length) this.#at = null;
    this.#redraw();
  }

  /** Ends it; the still line is seen again. */
  stop(): void {
    for (const undo of this.#undo) undo();
    this.#plot.destroy();
    this.#frame.remove();
    this.#readout.remove();
    this.#place.classList.remove("chart-has-plot");
  }

  #redraw(): void {
    this.#plot.destroy();
    this.#plot = this.#draw();
    this.#describe();
  }

  #draw(): UPlot {
    const { series } = this.#options;
    const theme = readChartTheme(this.#place);
    const options: UPlot.Options = {
      ...sizeOf(this.#place),
      ...plotForm(this.#options, theme),
      hooks: {
        setCursor: [
          ({ cursor }) => {
            const at = cursor.idx ?? null;
            if (at === this.#at) return;
            this.#at = at;
            this.#describe();
          },
        ],
        draw: [(plot) => drawMark(plot, this.#options.mark, theme)],
      },
    };
    return new UPlot(options, [[...series.xs], [...series.values]], this.#frame);
  }

  /** The place of the cursor is the value of a slider: a screen reader says what stands there. */
  #describe(): void {
    const { locale, series, kind, axis, title, mark } = this.#options;
    const texts = CHART_TEXTS[locale];
    const at = this.#at ?? restingPlace(this.#options);
    const isAtMark = this.#at === null && mark?.value !== undefined && mark.value !== null;
    const value = isAtMark ? mark.value : (series.values[at] ?? null);
    const place = placeWriter(axis, locale)(isAtMark ? mark.x : (series.xs[at] ?? 0));
    const written = value === null ? texts.noValue : valueWriter(kind, locale)(value);
    const text = texts.at(written, place);
    this.#readout.textContent = text;
    // At rest it would only repeat what stands above the drawing.
    this.#readout.hidden = this.#at === null;
    const attributes = {
      role: "slider",
      tabindex: "0",
      "aria-label": title,
      "aria-valuemin": "0",
      "aria-valuemax": String(series.xs.length - 1),
      "aria-valuenow": String(Math.max(0, at)),
      "aria-valuetext": text,
    };
    for (const [name, each] of Object.entries(attributes)) this.#frame.setAttribute(name, each);
  }

  #press(event: KeyboardEvent): void {
    const { xs } = this.#options.series;
    const last = xs.length - 1;
    const from = this.#at ?? restingPlace(this.#options);
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      PageUp: from - 10,
      PageDown: from + 10,
      Home: 0,
      End: last,
    };
    const next = Object.hasOwn(to, event.key) ? to[event.key] : undefined;
    if (next === undefined) return;
    event.preventDefault();
    const at = Math.min(last, Math.max(0, next));
    const left = this.#plot.valToPos(xs[at] ?? 0, "x");
    const value = this.#options.series.values[at] ?? null;
    const top = value === null ? 0 : this.#plot.valToPos(value, "y");
    this.#plot.setCursor({ left, top });
    this.#at = at;
    this.#describe();
  }
}

/** Where the cursor is before anybody moves it: at the newest value, or at the last one before the mark. */
function restingPlace({ series, mark }: PlotOptions): number {
  const isThere = (value: number | null) => value !== null;
  const at =
    mark === null
      ? series.values.findLastIndex(isThere)
      : series.xs.findLastIndex((x) => x <= mark.x);
  return Math.max(0, at);
}

function sizeOf(place: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: place.clientWidth, height: place.clientHeight };
}

/** The ends of the axis below. */
function placeRange(xs: readonly number[], axis: AxisKind): readonly [number, number] {
  const [first = 0, last = first] = [xs[0], xs.at(-1)];
  return first < last ? [first, last] : [first - LONE_SPAN[axis], first + LONE_SPAN[axis]];
}

/** Scales, axes, line and dots. */
function plotForm(
  { kind, axis, locale, fromZero, series }: PlotOptions,
  theme: ChartTheme,
): Pick<UPlot.Options, "padding" | "legend" | "cursor" | "scales" | "axes" | "series"> {
  const [from, to] = placeRange(series.xs, axis);
  const [mark, value] = [markWriter(axis, locale, to - from), valueWriter(kind, locale)];
  const alone = lonePlaces(series.values);
  const texts = CHART_TEXTS[locale];
  const look = {
    stroke: theme.ink,
    font: theme.font,
    grid: { stroke: theme.grid, width: 1 },
    ticks: { stroke: theme.grid, width: 1 },
  };
  return {
    // Above the drawing the readout has its line.
    padding: [READOUT_PIXELS, null, null, null],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: [from, to] },
      y: { range: (_plot, least, most) => valueRange(least, most, fromZero) },
    },
    axes: [
      {
        ...look,
        space: 70,
        size: 30,
        ...markSteps(axis),
        values: (_plot, splits) => splits.map(mark),
        label: axis === "score" ? texts.score : texts.time,
        labelSize: 16,
        labelGap: 0,
        labelFont: theme.font,
      },
      { ...look, size: 74, values: (_plot, splits) => splits.map(value) },
    ],
    series: [
      {},
      {
        stroke: theme.line,
        fill: theme.area,
        width: 1.75,
        spanGaps: false,
        points: {
          show: false,
          filter: alone.length === 0 ? null : [...alone],
          size: DOT_PIXELS,
          fill: theme.line,
        },
      },
    ],
  };
}

/** The marked place: a line, a point at its value, and its words. */
function drawMark(plot: UPlot, mark: ChartMark | null, theme: ChartTheme): void {
  if (mark === null) return;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(mark.x, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = theme.mark;
  ctx.fillStyle = theme.mark;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  if (mark.value !== null) {
    ctx.beginPath();
    ctx.arc(x, plot.valToPos(mark.value, "y", true), 5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.font = theme.scaledFont(devicePixelRatio);
  const isLeft = x < bbox.left + bbox.width / 2;
  ctx.textAlign = isLeft ? "left" : "right";
  ctx.fillText(
    mark.label,
    x + (isLeft ? 8 : -8) * devicePixelRatio,
    bbox.top + 14 * devicePixelRatio,
  );
  ctx.restore();
}
