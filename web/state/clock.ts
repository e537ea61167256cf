/** Clock signal for components. */
import { createSignal, onCleanup, type Accessor } from "solid-js";

const TICK_MS = 1_000;

/** The time of day, renewed every second while the component lives. */
export function createNow(): Accessor<number> {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), TICK_MS);
  onCleanup(() => clearInterval(timer));
  return now;
}
