/** A mutex for asynchronous work: runs one piece of work at a time, in the order in which it was asked for. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything before it has ended, well or not. Settles as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
