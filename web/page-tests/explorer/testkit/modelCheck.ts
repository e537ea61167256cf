/** Model of a check: a test says how each run of it ends. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { expect } from "vitest";

/** The check. What `run` was called with is in `asked`; a run lasts until a test ends it. */
export class ModelCheck<R> {
  readonly asked: (readonly unknown[])[] = [];
  readonly #runs: PromiseWithResolvers<R>[] = [];

  readonly run = (...asked: readonly unknown[]): Promise<R> => {
    this.asked.push(asked);
    const run = Promise.withResolvers<R>();
    this.#runs.push(run);
    return run.promise;
  };

  /** Ends the run that began first, once there is one. */
  async answer(report: R): Promise<void> {
    const run = await this.#next();
    run.resolve(report);
  }

  /** The same, without a report. */
  async fail(): Promise<void> {
    const run = await this.#next();
    run.reject(new SvcError("wallet/worker-failed", { reason: "of a test" }));
  }

  async #next(): Promise<PromiseWithResolvers<R>> {
    await expect.poll(() => this.#runs.length).toBeGreaterThan(0);
    const [run] = this.#runs.splice(0, 1);
    if (run === undefined) throw new Error("the check was ended by somebody else");
    return run;
  }
}
