/** Backpressure: a byte budget that all links of a node share, and the queue of those who wait for room in it (ADR 18). */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** Who waits, and what it waits for. */
type Waiter = { readonly isReady: () => boolean; readonly resolve: () => void };

/** A count of bytes with a bound that its holders respect. */
export class ByteBudget {
  /** Bytes from which on there is no room. */
  readonly max: number;
  readonly #waiters = new Set<Waiter>();
  #used = 0;
  #turn: NodeJS.Immediate | null = null;

  constructor(max: number) {
    this.max = max;
  }

  /** Bytes held. */
  get used(): number {
    return this.#used;
  }

  /** Whether there is room for something; the last message that finds room may go beyond the bound. */
  get hasRoom(): boolean {
    return this.#used < this.max;
  }

  /** Notes bytes that came, or went when the number is negative. */
  change(bytes: number): void {
    this.#used += bytes;
    if (bytes < 0) this.#wakeSoon();
  }

  /** Waits for a condition, which is looked at whenever bytes go. Rejects with `run/aborted`. */
  when(isReady: () => boolean, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}));
    if (isReady()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.delete(waiter);
        reject(new SvcError("run/aborted", {}));
      };
      const waiter: Waiter = {
        isReady,
        resolve: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** One waiter in a turn of the event loop, the first that is ready: what it takes is counted before the next is asked. */
  #wakeSoon(): void {
    if (this.#waiters.size === 0) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = null;
      for (const waiter of this.#waiters) {
        if (!waiter.isReady()) continue;
        this.#waiters.delete(waiter);
        waiter.resolve();
        this.#wakeSoon();
        return;
      }
    });
  }
}
