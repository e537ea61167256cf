/**
 * Resident set: counts the wallets in memory, from the moment that one begins to be read until it is written and gone. One more
 * comes in when another one has left. Only where none can leave does the set grow beyond its bound.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";

/**
 * Begins what gives a place free. Returns a promise to wait for, an eviction or the end of one that is under way, or null when nothing
 * can be evicted. The promise never rejects, and never waits for somebody who wants to come in.
 */
export type MakeRoom = () => Promise<unknown> | null;

/** The places in memory. */
export class ResidentSet {
  readonly #most: number;
  readonly #makeRoom: MakeRoom;
  /** One newcomer after the other: two do not count the same free place. */
  readonly #turns = new Mutex();
  #size = 0;
  #crowded = 0;

  /** `most` wallets have a place while enough of them can leave. */
  constructor(most: number, makeRoom: MakeRoom) {
    this.#most = most;
    this.#makeRoom = makeRoom;
  }

  /** Wallets beyond the bound. */
  get excess(): number {
    return Math.max(0, this.#size - this.#most);
  }

  /** Newcomers that found all places taken: for each of them another wallet left, or the set grew beyond its bound. */
  get crowded(): number {
    return this.#crowded;
  }

  /** Takes a place, as soon as there is one; `begun` is called in the same turn. Rejects with `run/aborted`. */
  enter(signal: AbortSignal, begun: () => void): Promise<void> {
    return this.#turns.run(async () => {
      throwIfAborted(signal);
      if (this.#size >= this.#most) this.#crowded += 1;
      while (this.#size >= this.#most) {
        const change = this.#makeRoom();
        if (change === null) break;
        await change;
        throwIfAborted(signal);
      }
      this.#size += 1;
      begun();
    });
  }

  /** Gives a place back. */
  leave(): void {
    this.#size -= 1;
  }
}
