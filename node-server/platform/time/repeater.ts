/** Does a piece of work again and again, with a pause between, until it is stopped. A failure is told, and the work goes on. */
import type { Clock } from "./clock.ts";

/** Dependencies. */
export type RepeaterParts = {
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** ms. Between the end of one turn and the begin of the next. */
  readonly pauseMs: number;
  readonly clock: Pick<Clock, "sleep">;
  /** Hears of a turn that failed; not of one that was stopped. */
  readonly onError: (thrown: unknown) => void;
};

/** The work, which begins with `start`. */
export class Repeater {
  readonly #parts: RepeaterParts;
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;

  constructor(parts: RepeaterParts) {
    this.#parts = parts;
  }

  /** Fires when it is stopped. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** Begins with the first turn. Harmless when repeated. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** Ends; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#run;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { work, pauseMs, clock, onError } = this.#parts;
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (thrown) {
        if (!signal.aborted) onError(thrown);
      }
      await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }
}
