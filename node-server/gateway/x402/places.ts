/** A bound on how much of one kind of work runs at once: one more is refused, and waits nowhere. */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** Places for work. */
export class Places {
  readonly #most: number;
  readonly #reason: string;
  #taken = 0;

  /** `reason` is told to whoever finds no place. */
  constructor(most: number, reason: string) {
    this.#most = most;
    this.#reason = reason;
  }

  /** Runs work in a place. Rejects with what it rejects with, and with `http/unavailable` where there is no place. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#most) throw new SvcError("http/unavailable", { reason: this.#reason });
    this.#taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
    }
  }
}
