/** The machine's clock, ahead by what a test lets pass: hours go by at once for a program that runs in the test's own process. */
import { systemClock, type Clock } from "@svc/node-server/platform/time/clock.ts";

type Sleeper = { readonly untilMs: bigint; readonly wake: () => void };

/** The clock. Between two steps it goes on with the machine's. */
export class MovedClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #aheadMs = 0n;

  /** How far it is ahead of the machine's clock, ms. */
  get aheadMs(): bigint {
    return this.#aheadMs;
  }

  nowMs(): bigint {
    return systemClock.nowMs() + this.#aheadMs;
  }

  steadyMs(): bigint {
    return systemClock.steadyMs() + this.#aheadMs;
  }

  bootMs(): bigint {
    return systemClock.bootMs() + this.#aheadMs;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const passed = new AbortController();
    const sleeper = { untilMs: this.steadyMs() + BigInt(ms), wake: () => passed.abort() };
    this.#sleepers.add(sleeper);
    try {
      await systemClock.sleep(ms, AbortSignal.any([signal, passed.signal]));
    } catch (thrown) {
      if (!passed.signal.aborted) throw thrown;
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }

  /** Lets time pass, in ms, and wakes everybody whose time has come. */
  pass(ms: bigint): void {
    this.#aheadMs += ms;
    const nowMs = this.steadyMs();
    for (const { untilMs, wake } of this.#sleepers) if (untilMs <= nowMs) wake();
  }
}
