/** Concurrency limit for requests to nodes, with a bounded queue behind it (backpressure). */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";

/** The seats of one relay object. */
export class OriginSeats {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** Works on a seat. Rejects with `http/unavailable` where too many wait, and as the work does. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < EXPLORER_LIMITS.originAtOnce) this.#taken += 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The seat goes to whoever has waited longest.
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= EXPLORER_LIMITS.originWaiting) {
      throw new SvcError("http/unavailable", { reason: "too much is asked of the nodes" });
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
