/** Countdown of the unlock screen: the rate limit on passphrase attempts. */
import { createSignal, onCleanup, type Accessor } from "solid-js";

/** Counts down the seconds until the keyring accepts the next attempt. */
export function createPause(ask: () => Promise<number>): {
  /** Whole seconds left, 0 when it may be tried. */
  readonly seconds: Accessor<number>;
  /** Asks how long the pause is now. */
  readonly look: () => Promise<void>;
} {
  const [seconds, setSeconds] = createSignal(0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    setSeconds((left) => Math.max(0, left - 1));
    if (seconds() > 0) timer = setTimeout(tick, 1_000);
  };
  const look = async () => {
    clearTimeout(timer);
    setSeconds(Math.ceil((await ask()) / 1_000));
    if (seconds() > 0) timer = setTimeout(tick, 1_000);
  };
  onCleanup(() => clearTimeout(timer));
  return { seconds, look };
}
