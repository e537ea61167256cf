/** Ordered shutdown: stops what has started in the opposite order. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";

type Row = { readonly name: string; readonly stop: () => Promise<void> };

/** Collects the stop calls of parts as they start. */
export class StopStack {
  readonly #log: Log;
  readonly #rows: Row[] = [];
  #running: Promise<void> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The newest part is stopped first. */
  push(name: string, stop: () => Promise<void>): void {
    this.#rows.push({ name, stop });
  }

  /** Stops every part once. A part that fails to stop does not keep the others from stopping. */
  run(): Promise<void> {
    this.#running ??= this.#stopAll();
    return this.#running;
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#rows.toReversed()) {
      try {
        await stop();
      } catch (error) {
        this.#log.error({ err: SvcError.from(error), part: name }, "a part did not stop cleanly");
      }
    }
  }
}
