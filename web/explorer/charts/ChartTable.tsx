/** Component: a series as a table that can be opened: what the drawing says, for everybody. */
import { For } from "solid-js";
import { spreadRows } from "@svc/shared/explorer/charts/workSeries.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { placeWriter, valueWriter } from "./chartForm.ts";
import { CHART_TEXTS } from "./chartTexts.ts";
import type { TimeChartProps } from "./TimeChart.tsx";

/** The table, closed at first. */
export function ChartTable(props: TimeChartProps) {
  const texts = () => CHART_TEXTS[props.locale];
  const rows = () => spreadRows(props.series, PAGE_LIMITS.chartTableRows);
  const writeValue = () => valueWriter(props.kind, props.locale);
  const writePlace = () => placeWriter(props.axis ?? "time", props.locale);
  const count = (value: number) => new Intl.NumberFormat(props.locale).format(value);
  return (
    <details class="chart-table">
      <summary>{texts().table}</summary>
      <div class="chart-rows" tabindex="0" role="region" aria-label={props.title}>
        <table>
          <caption>
            {props.title}. {texts().spread(count(rows().length), count(props.series.xs.length))}
          </caption>
          <thead>
            <tr>
              <th scope="col">{props.axis === "score" ? texts().score : texts().time}</th>
              <th scope="col">{texts().value}</th>
            </tr>
          </thead>
          <tbody>
            <For each={rows()}>
              {({ x, value }) => (
                <tr>
                  <th scope="row">{writePlace()(x)}</th>
                  <td>{value === null ? texts().noValue : writeValue()(value)}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </details>
  );
}
