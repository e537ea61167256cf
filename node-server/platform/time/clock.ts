/**
 * Clocks as a parameter: the machine's wall, steady and boot clocks, and a manual one for tests.
 *
 * The wall clock gives the time of day for people and other nodes; it may be set forward and back at any moment. The steady clock
 * measures durations; it never goes back, and stands still while the machine sleeps. Periods of days must go on during sleep, so
 * they are measured by the time since the machine was started (`anchored`).
 */
import { uptime } from "node:os";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** The clocks, and waiting for a time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, by the wall clock: it jumps when somebody sets it. */
  nowMs(): bigint;
  /** Milliseconds since some moment before, which only grow: for durations. Of another thread they say nothing. */
  steadyMs(): bigint;
  /**
   * Milliseconds since the machine was started, its sleep among them, to a second or better: nobody sets it. A call reads a
   * file.
   */
  bootMs(): bigint;
  /** Resolves after a time in milliseconds. Rejects with `run/aborted` when the caller cancels. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => BigInt(Date.now()),
  steadyMs: () => BigInt(Math.floor(performance.now())),
  bootMs: () => BigInt(Math.floor(uptime() * 1000)),
  sleep(ms, signal) {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}));
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        signal.removeEventListener("abort", cancel);
        resolve();
      };
      const cancel = (): void => {
        clearTimeout(timer);
        const reason: unknown = signal.reason;
        reject(SvcError.is(reason, "run/aborted") ? reason : new SvcError("run/aborted", {}));
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener("abort", cancel, { once: true });
    });
  },
};

/**
 * A wall clock that nobody sets: the time of day at this call, and how long it is ago by the steady clock and by what the
 * machine slept meanwhile, which is looked for every `PLATFORM_LIMITS.sleptLookMs`. For what is kept on disk with its time and
 * lasts for so long: the clock's jumps make nothing older or younger while a program runs, and sleep makes it older.
 */
export function anchored(
  clock: Pick<Clock, "nowMs" | "steadyMs" | "bootMs">,
): Pick<Clock, "nowMs"> {
  let lookedMs = clock.steadyMs();
  const startMs = clock.nowMs() - clock.bootMs();
  // The one goes on beside the other, but for sleep, which only adds to it.
  let aheadMs = clock.bootMs() - lookedMs;
  return {
    nowMs: () => {
      const steadyMs = clock.steadyMs();
      if (steadyMs - lookedMs >= BigInt(PLATFORM_LIMITS.sleptLookMs)) {
        lookedMs = steadyMs;
        const nowAheadMs = clock.bootMs() - steadyMs;
        if (nowAheadMs > aheadMs) aheadMs = nowAheadMs;
      }
      return startMs + aheadMs + steadyMs;
    },
  };
}

type Sleeper = { readonly at: bigint; readonly wake: () => void };

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now: bigint;
  #steady: bigint;
  #boot: bigint;
  #sleepers: Sleeper[] = [];

  constructor(startMs: bigint) {
    this.#now = startMs;
    this.#steady = startMs;
    this.#boot = startMs;
  }

  nowMs(): bigint {
    return this.#now;
  }

  steadyMs(): bigint {
    return this.#steady;
  }

  bootMs(): bigint {
    return this.#boot;
  }

  /** The machine sleeps: the wall clock and the time since the start go on, and nobody is woken. */
  suspend(ms: number): void {
    this.#now += BigInt(ms);
    this.#boot += BigInt(ms);
  }

  /** Sets the wall clock forward, or back when the number is negative; no time passes. */
  step(ms: number): void {
    this.#now += BigInt(ms);
  }

  /** Number of sleepers that wait. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves time forward and wakes everybody whose time has come, in order. */
  advance(ms: number): void {
    this.#now += BigInt(ms);
    this.#steady += BigInt(ms);
    this.#boot += BigInt(ms);
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#steady);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#steady);
    for (const sleeper of due.toSorted((a, b) => Number(a.at - b.at))) sleeper.wake();
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}));
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = {
        at: this.#steady + BigInt(ms),
        wake: () => {
          signal.removeEventListener("abort", cancel);
          resolve();
        },
      };
      const cancel = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(new SvcError("run/aborted", {}));
      };
      signal.addEventListener("abort", cancel, { once: true });
      this.#sleepers.push(sleeper);
    });
  }
}

/** A time of day, ms since the Unix epoch, as the digits `YYYYMMDDhhmmss` of UTC; the part of a second is cut off. */
export function utcDigits(ms: bigint): string {
  const digits = new Date(Number(ms)).toISOString().replaceAll(/\D/g, "");
  return digits.slice(0, "YYYYMMDDhhmmss".length);
}

/** A time of day, ms since the Unix epoch, as text in UTC, such as 2026-11-26T10:21:41.234Z. */
export function isoTime(ms: bigint): string {
  return new Date(Number(ms)).toISOString();
}
