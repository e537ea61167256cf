/**
 * Keeps the replies of one stream in order, type by type: old clients send no ids and match replies to
 * requests of the same type first in, first out (specification network 2.1).
 */

/** Work per type, one after the other. */
export class CallLanes {
  readonly #lanes = new Map<number, Promise<void>>();
  readonly #onFinished: () => void;
  #pending = 0;

  /** `onFinished` is called after each piece of work. */
  constructor(onFinished: () => void = () => {}) {
    this.#onFinished = onFinished;
  }

  /** Calls not finished yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Runs `work` when everything enqueued before it under the same type has finished. It must not reject. */
  enqueue(type: number, work: () => Promise<void>): void {
    this.#pending += 1;
    const lane = (this.#lanes.get(type) ?? Promise.resolve()).then(work).finally(() => {
      this.#pending -= 1;
      if (this.#lanes.get(type) === lane) this.#lanes.delete(type);
      this.#onFinished();
    });
    this.#lanes.set(type, lane);
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes.values());
  }
}
