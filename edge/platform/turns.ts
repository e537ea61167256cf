/** One after the other: what an object does in several steps is not mixed with what another call does. */

/** Turns of one object. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Works when everybody before has ended, well or not. Rejects as the work does. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#last.then(work);
    this.#last = own.catch(() => undefined);
    return own;
  }
}
