/** Component: bins as bars, oldest first. A server draws it; the numbers beside it say what it shows. */
import { For } from "solid-js";

const STEP = 10;
const WIDTH = 7;
const HEIGHT = 100;
/** Of an empty bin, so that the time axis can be seen. */
const LEAST = 1.5;

/** The bars. `label` says in words what they show. */
export function Bars(props: { bins: readonly number[]; label: string; tone?: "blue" | "accent" }) {
  const most = () => Math.max(1, ...props.bins);
  return (
    <svg
      class="bars"
      data-tone={props.tone ?? "accent"}
      viewBox={`0 0 ${Math.max(1, props.bins.length) * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={props.label}
    >
      <For each={props.bins}>
        {(value, at) => {
          const height = () => Math.max(LEAST, (value / most()) * HEIGHT);
          return (
            <rect x={at() * STEP} y={HEIGHT - height()} width={WIDTH} height={height()} rx="1" />
          );
        }}
      </For>
    </svg>
  );
}
