/** Thrown where too many wait already. */
export class LockBusy extends Error {}

/** Lets one at a time work on a thing, by its key. */
export class KeyedLock {
  readonly #last = new Map<string, { end: Promise<unknown>; waiting: number }>();
  readonly #waiters: number;

  /** @param waiters How many may wait for one key. */
  constructor(waiters: number) {
    this.#waiters = waiters;
  }

  /** Runs the work when all before it have ended. Rejects with `LockBusy`, and as the work does. */
  async with<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#last.get(key) ?? { end: Promise.resolve(), waiting: 0 };
    if (queue.waiting > this.#waiters) throw new LockBusy(`too many wait for ${key}`);
    queue.waiting += 1;
    const run = queue.end.then(work);
    queue.end = run.catch(() => undefined);
    this.#last.set(key, queue);
    try {
      return await run;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.#last.delete(key);
    }
  }
}
