/** Component: the course of a series as a line in an SVG picture, values without a neighbour as dots, for servers and for pages without script. */
import { Show } from "solid-js";
import { sparkline } from "@svc/shared/explorer/charts/sparkline.ts";
import type { ChartSeries } from "@svc/shared/explorer/charts/workSeries.ts";
import type { ChartMark } from "./TimeChart.tsx";

/** Units of the picture; it is stretched over its place. */
const BOX = { width: 600, height: 200 } as const;

/** The picture. `label` says in words what it shows. */
export function StillChart(props: {
  series: ChartSeries;
  fromZero: boolean;
  mark: ChartMark | null;
  label: string;
}) {
  const drawn = () => sparkline(props.series.values, { ...BOX, fromZero: props.fromZero });
  const markX = () => {
    const { xs } = props.series;
    const [first = 0, last = first] = [xs[0], xs.at(-1)];
    if (props.mark === null || last <= first) return null;
    return ((props.mark.x - first) / (last - first)) * BOX.width;
  };
  return (
    <svg
      class="chart-still"
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      <path class="chart-area" d={drawn().area} />
      <path class="chart-line" d={drawn().line} />
      <Show when={drawn().dots}>{(dots) => <path class="chart-dots" d={dots()} />}</Show>
      <Show when={markX()}>{(x) => <path class="chart-mark" d={`M${x()} 0V${BOX.height}`} />}</Show>
    </svg>
  );
}
