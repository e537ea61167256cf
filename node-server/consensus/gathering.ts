/** Proofs of blocks wait for company while nobody waits for them: a batch costs little more than one. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { Clock } from "../platform/clock.ts";

/** Whether what waits is held back: until there is enough of it, or the first has waited long enough. */
export class Gathering {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #onDue: () => void;
  #isOn = false;
  #isDue = false;
  /** Ends the waiting of those that are held back now. */
  #waiting: AbortController | null = null;

  /** `onDue` is called when those that were held back have waited long enough. */
  constructor(clock: Pick<Clock, "sleep">, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Off, nothing is held back. */
  set isOn(on: boolean) {
    this.#isOn = on;
    if (!on) this.#reset();
  }

  /** Whether so many are held back; the time of the first begins when it is asked for. */
  holds(count: number): boolean {
    if (!this.#isOn || count === 0 || this.#isDue || count >= LIMITS.verifyGatherJobs) return false;
    this.#waiting ??= this.#wait();
    return true;
  }

  /** Some have gone; so many are left. */
  left(count: number): void {
    if (count === 0) this.#reset();
  }

  #reset(): void {
    this.#isDue = false;
    this.#waiting?.abort();
    this.#waiting = null;
  }

  #wait(): AbortController {
    const waiting = new AbortController();
    const due = (): void => {
      if (this.#waiting !== waiting) return;
      this.#isDue = true;
      this.#onDue();
    };
    this.#clock.sleep(LIMITS.verifyGatherMs, waiting.signal).then(due, () => undefined);
    return waiting;
  }
}
