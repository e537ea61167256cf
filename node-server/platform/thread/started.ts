/** Stops what a program has started, in the opposite order. */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** What has been started, in the order in which it was. */
export class Started {
  readonly #stops: (() => unknown)[] = [];

  /** Notes how a thing is stopped; returns it. */
  add<T>(thing: T, stop: (thing: T) => unknown): T {
    this.#stops.push(() => stop(thing));
    return thing;
  }

  /** Stops everything, the last first, also behind one that fails; rejects with the first failure. */
  async stop(): Promise<void> {
    const failures: SvcError[] = [];
    for (const stop of this.#stops.splice(0).toReversed()) {
      try {
        await stop();
      } catch (thrown) {
        failures.push(SvcError.from(thrown));
      }
    }
    const [first] = failures;
    if (first !== undefined) throw first;
  }
}
