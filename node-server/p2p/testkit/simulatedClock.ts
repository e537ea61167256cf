/** A discrete-event clock for tests of many nodes at once: time jumps from one event to the next, in the same order each time. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";

type Event = { readonly at: number; readonly number: number; readonly happen: () => void };

/** A clock whose events a test runs. Milliseconds since its start. */
export class SimulatedClock implements Clock {
  #now = 0;
  #count = 0;
  /** A binary heap, the next event first. */
  readonly #heap: Event[] = [];

  nowMs(): bigint {
    return BigInt(this.#now);
  }

  steadyMs(): bigint {
    return this.nowMs();
  }

  bootMs(): bigint {
    return this.nowMs();
  }

  /** Lets something happen after so many milliseconds; what is put in first happens first. */
  after(ms: number, happen: () => void): void {
    this.#count += 1;
    this.#push({ at: this.#now + Math.max(0, Math.round(ms)), number: this.#count, happen });
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}));
    return new Promise((resolve, reject) => {
      const cancel = (): void => reject(new SvcError("run/aborted", {}));
      signal.addEventListener("abort", cancel, { once: true });
      this.after(ms, () => {
        signal.removeEventListener("abort", cancel);
        resolve();
      });
    });
  }

  /** Goes on to a time, event by event; what an event sets off is done before the next one happens. */
  async runTo(ms: number): Promise<void> {
    await turn();
    for (let [next] = this.#heap; next !== undefined && next.at <= ms; [next] = this.#heap) {
      this.#now = next.at;
      for (let due = next; due !== undefined && due.at === this.#now;) {
        this.#pop();
        due.happen();
        const [following] = this.#heap;
        if (following === undefined) break;
        due = following;
      }
      await turn();
    }
    this.#now = ms;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || !isBefore(child, last)) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.number < b.number);
}

/** Everything that waits for nothing but its turn is done after it. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
