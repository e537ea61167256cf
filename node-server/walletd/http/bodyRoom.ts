/** Room for the bodies of requests: their bytes together are bounded, whoever sends them. */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** Counts the bytes of bodies. */
export class BodyRoom {
  readonly #most: number;
  #taken = 0;

  /** `most` bytes at the same time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Does `work` while it holds room for so many bytes. Throws `http/unavailable` when there is not as much. */
  async during<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#taken + bytes > this.#most) {
      throw new SvcError("http/unavailable", { reason: "too many large requests at once" });
    }
    this.#taken += bytes;
    try {
      return await work();
    } finally {
      this.#taken -= bytes;
    }
  }
}
