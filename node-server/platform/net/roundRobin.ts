/**
 * Round-robin scheduling among hosts: a limited number of jobs run at a time, one for each host, and every host gets its turn.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";

type Waiter = { readonly start: () => void };

/** A round-robin scheduler of jobs by name. */
export class RoundRobin {
  readonly #limit: number;
  /** Those that wait by name; the first name's turn comes first. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #running = new Set<string>();

  /** `limit` is how many have a turn at the same time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Does `work` when the turn of `name` comes. Rejects with `run/aborted` while it waits, or like the work. */
  async run<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#turnOf(name, signal);
    try {
      return await work();
    } finally {
      this.#running.delete(name);
      this.#moveBack(name);
      this.#next();
    }
  }

  #turnOf(name: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}, signal.reason));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(name, waiter);
        reject(new SvcError("run/aborted", {}, signal.reason));
      };
      const waiter = {
        start: (): void => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), waiter]);
      this.#next();
    });
  }

  #remove(name: string, waiter: Waiter): void {
    const left = (this.#waiting.get(name) ?? []).filter((other) => other !== waiter);
    if (left.length === 0) this.#waiting.delete(name);
    else this.#waiting.set(name, left);
  }

  #next(): void {
    for (const [name, [first, ...rest]] of this.#waiting) {
      if (this.#running.size >= this.#limit) return;
      if (first === undefined || this.#running.has(name)) continue;
      this.#running.add(name);
      if (rest.length > 0) this.#waiting.set(name, rest);
      else this.#waiting.delete(name);
      first.start();
    }
  }

  /** Whoever had a turn waits behind all others for the next one. */
  #moveBack(name: string): void {
    const waiters = this.#waiting.get(name);
    if (waiters === undefined) return;
    this.#waiting.delete(name);
    this.#waiting.set(name, waiters);
  }
}
