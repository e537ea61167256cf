/** Time as a parameter: the system's clock, and one that tests move by hand. */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** Wall clock and waiting. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): bigint;
  /** Resolves after a time in milliseconds. Rejects with `run/aborted` when the caller cancels. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => BigInt(Date.now()),
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

type Sleeper = { readonly at: bigint; readonly wake: () => void };

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now: bigint;
  #sleepers: Sleeper[] = [];

  constructor(startMs: bigint) {
    this.#now = startMs;
  }

  nowMs(): bigint {
    return this.#now;
  }

  /** Number of sleepers that wait. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves time forward and wakes everybody whose time has come, in order. */
  advance(ms: number): void {
    this.#now += BigInt(ms);
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now);
    for (const sleeper of due.toSorted((a, b) => Number(a.at - b.at))) sleeper.wake();
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}));
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = {
        at: this.#now + BigInt(ms),
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
