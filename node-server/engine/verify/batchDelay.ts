/**
 * Batching delay: holds back proofs of blocks until a batch is full or the first has waited long enough, since a batch costs
 * little more than one proof. Only used while nobody waits for a block.
 */
import { ENGINE_LIMITS } from "../engineLimits.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** Decides whether waiting proofs are held back. */
export class BatchDelay {
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
    if (!this.#isOn || count === 0 || this.#isDue || count >= ENGINE_LIMITS.verifyBatchDelayJobs)
      return false;
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
    this.#clock.sleep(ENGINE_LIMITS.verifyBatchDelayMs, waiting.signal).then(due, () => undefined);
    return waiting;
  }
}
