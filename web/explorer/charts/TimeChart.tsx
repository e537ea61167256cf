/**
 * Component: a chart of one series with its name, newest value, data links and table. A server draws its course as a line; in
 * a browser a plot with axes takes that place, of the same size.
 */
import { createEffect, createSignal, onCleanup, onMount, Show } from "solid-js";
import type { ChartSeries } from "@svc/shared/explorer/charts/workSeries.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { ChartTable } from "./ChartTable.tsx";
import { placeWriter, valueWriter, type AxisKind, type ValueKind } from "./chartForm.ts";
import { CHART_TEXTS } from "./chartTexts.ts";
import type { Plot } from "./plot.ts";
import { StillChart } from "./StillChart.tsx";
import "./charts.css";

/** A place on the axis that is marked, with the value there if it has one of its own. */
export type ChartMark = {
  readonly x: number;
  readonly value: number | null;
  readonly label: string;
};

/** Data and labels of a chart. */
export type TimeChartProps = {
  title: string;
  /** A remark about the values for the reader. */
  note?: string;
  locale: PageLocale;
  series: ChartSeries;
  kind: ValueKind;
  axis?: AxisKind;
  /** Whether the lower edge is zero. */
  fromZero?: boolean;
  mark?: ChartMark | null;
  /** Addresses of the document behind it. */
  jsonHref?: string;
  csvHref?: string;
};

/** The chart. Its height does not depend on its data, so nothing moves when they come. */
export function TimeChart(props: TimeChartProps) {
  const texts = () => CHART_TEXTS[props.locale];
  const writeValue = () => valueWriter(props.kind, props.locale);
  const newest = () => props.series.values.findLast((value) => value !== null) ?? null;
  const summary = () => {
    const value = props.mark?.value ?? newest();
    return value === null ? texts().nothing : texts().newest(writeValue()(value));
  };
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h3>{props.title}</h3>
        <span class="chart-newest">{props.mark?.label ?? summary()}</span>
      </figcaption>
      <PlotPlace {...props} />
      <p class="chart-note">
        {props.note}
        <Show when={props.csvHref}>
          {(href) => (
            <a href={href()} download="">
              {texts().csv}
            </a>
          )}
        </Show>
        <Show when={props.jsonHref}>{(href) => <a href={href()}>{texts().json}</a>}</Show>
      </p>
      <ChartTable {...props} />
    </figure>
  );
}

/** The drawing. The plot is loaded when the page runs; until then, and without script, the still line stands there. */
function PlotPlace(props: TimeChartProps) {
  let place: HTMLDivElement | undefined;
  let plot: Plot | null = null;
  let isGone = false;
  const [loaded, setLoaded] = createSignal<typeof Plot | null>(null);
  const options = () => ({
    series: props.series,
    locale: props.locale,
    kind: props.kind,
    axis: props.axis ?? "time",
    fromZero: props.fromZero ?? true,
    mark: props.mark ?? null,
    title: props.title,
  });
  onMount(() => {
    // A renderer for servers is one module: it shall not hold the plots.
    if (import.meta.env.SSR) return;
    void import("./plot.ts").then(({ Plot: made }) => setLoaded(() => made));
  });
  createEffect(() => {
    const [made, next] = [loaded(), options()];
    if (made === null || isGone || place === undefined) return;
    if (plot !== null) plot.show(next);
    else if (next.series.xs.length > 0) plot = new made(place, next);
  });
  onCleanup(() => {
    isGone = true;
    plot?.stop();
  });
  return (
    <div class="chart-plot" ref={place}>
      <StillChart
        series={props.series}
        fromZero={props.fromZero ?? true}
        mark={props.mark ?? null}
        label={stillLabel(props)}
      />
    </div>
  );
}

/** The ends of the series in words; one value is said once. */
function stillLabel(props: TimeChartProps): string {
  const texts = CHART_TEXTS[props.locale];
  const { xs, values } = props.series;
  const [first, last] = [values.findIndex(isThere), values.findLastIndex(isThere)];
  if (first < 0) return `${props.title}: ${texts.nothing}`;
  const [write, place] = [
    valueWriter(props.kind, props.locale),
    placeWriter(props.axis ?? "time", props.locale),
  ];
  const at = (index: number) => texts.at(write(values[index] ?? 0), place(xs[index] ?? 0));
  const ends = first === last ? [first] : [first, last];
  return `${props.title}: ${ends.map(at).join(" – ")}`;
}

function isThere(value: number | null): boolean {
  return value !== null;
}
