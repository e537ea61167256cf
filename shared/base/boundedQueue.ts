/**
 * A bounded first-in first-out queue between a producer and a consumer.
 *
 * Overflow is refused: `push` throws, `offer` returns false. Consumers wait with `take`.
 */
import { SvcError } from "./svcError.ts";

type Waiter<T> = { readonly resolve: (item: T) => void; readonly reject: (error: Error) => void };

/** Anything but undefined, which `poll` answers for an empty queue. */
type Item = object | string | number | bigint | boolean;

/** A queue that never holds more than `limit` items. */
export class BoundedQueue<T extends Item> {
  readonly #name: string;
  readonly #limit: number;
  readonly #items: T[] = [];
  readonly #waiters = new Set<Waiter<T>>();
  #closed = false;

  /** `name` appears in errors, `limit` is a number of items from a limits file. */
  constructor(name: string, limit: number) {
    this.#name = name;
    this.#limit = limit;
  }

  /** Items waiting. */
  get size(): number {
    return this.#items.length;
  }

  /** Adds an item. Throws `queue/full` or `queue/closed`. */
  push(item: T): void {
    if (this.#closed) throw new SvcError("queue/closed", { queue: this.#name });
    if (!this.offer(item))
      throw new SvcError("queue/full", { queue: this.#name, limit: this.#limit });
  }

  /** Adds an item if there is room; false means it was refused. */
  offer(item: T): boolean {
    if (this.#closed) return false;
    const [waiter] = this.#waiters;
    if (waiter !== undefined) {
      this.#waiters.delete(waiter);
      waiter.resolve(item);
      return true;
    }
    if (this.#items.length >= this.#limit) return false;
    this.#items.push(item);
    return true;
  }

  /** The oldest item, or undefined when the queue is empty. */
  poll(): T | undefined {
    return this.#items.shift();
  }

  /** Waits for the oldest item. Throws `run/aborted`, or `queue/closed` once closed and empty. */
  take(signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(new SvcError("run/aborted", {}));
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#closed) return Promise.reject(new SvcError("queue/closed", { queue: this.#name }));
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        this.#waiters.delete(waiter);
        reject(new SvcError("run/aborted", {}));
      };
      const settle =
        <A>(then: (argument: A) => void) =>
        (argument: A) => {
          signal.removeEventListener("abort", onAbort);
          then(argument);
        };
      const waiter: Waiter<T> = { resolve: settle(resolve), reject: settle(reject) };
      this.#waiters.add(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Refuses new items and wakes everybody who waits. What is queued can still be taken. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#waiters) {
      waiter.reject(new SvcError("queue/closed", { queue: this.#name }));
    }
    this.#waiters.clear();
  }
}
