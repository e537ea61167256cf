/**
 * Ordered replies: runs the calls of one stream first in, first out by type, since old clients send no ids and match replies to
 * requests of the same type in order (specification network 2.1).
 */

/** A queue for each type of call, worked off one call after the other. */
export class OrderedCalls {
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
