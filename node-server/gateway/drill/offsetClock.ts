/** A clock whose time of day is ahead of another's: the drill passes the expiry of an invoice without waiting for it. */
import type { Clock } from "../../platform/time/clock.ts";

/** The clock. Durations and pauses are those of the clock below. */
export class OffsetClock implements Clock {
  readonly #below: Clock;
  #aheadMs = 0n;

  constructor(below: Clock) {
    this.#below = below;
  }

  nowMs(): bigint {
    return this.#below.nowMs() + this.#aheadMs;
  }

  steadyMs(): bigint {
    return this.#below.steadyMs();
  }

  bootMs(): bigint {
    return this.#below.bootMs();
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#below.sleep(ms, signal);
  }

  /** Moves the time of day forward, by ms; nothing for a number below 0. */
  pass(ms: bigint): void {
    if (ms > 0n) this.#aheadMs += ms;
  }
}
