/**
 * Commits that are made together: steps that come while others wait share one commit, and with it one flush of the disk. Each step
 * sees what those before it did, and one that throws leaves the others as they are.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { StoreBatch } from "./storeBatch.ts";
import type { StoreSteps } from "./storeSteps.ts";

/** A step of a commit. It cannot wait. */
export type CommitStep<T> = (batch: StoreBatch) => T;

type Waiting = {
  /** Runs the step on top of what the commit holds; returns what settles its caller when the commit is on disk. */
  readonly run: (batch: StoreBatch) => () => void;
  readonly fail: (error: unknown) => void;
};

/** The steps that wait for the next commit. */
export class CommitQueue {
  readonly #steps: Pick<StoreSteps, "commit">;
  readonly #most: number;
  #waiting: Waiting[] = [];
  #turn: Promise<void> | null = null;

  /** `most`: how many steps may wait. */
  constructor(steps: Pick<StoreSteps, "commit">, most: number) {
    this.#steps = steps;
    this.#most = most;
  }

  /**
   * Resolves with what the step returns, when it is on disk. Rejects with what the step throws, with `store/…` when the commit
   * fails, and with `http/unavailable` when too many wait.
   */
  run<T>(step: CommitStep<T>): Promise<T> {
    if (this.#waiting.length >= this.#most) {
      return Promise.reject(new SvcError("http/unavailable", { reason: "too many changes wait" }));
    }
    return new Promise((resolve, reject) => {
      const run = (batch: StoreBatch) => {
        const own = new StoreBatch(batch, batch.sequence);
        const result = step(own);
        batch.add(own.end());
        return () => resolve(result);
      };
      this.#waiting.push({ run, fail: reject });
      this.#turn ??= this.#commitSoon();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#turn !== null) await this.#turn;
  }

  /** After the present turn of the event loop: what comes in it is committed together. */
  async #commitSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#turn = null;
    const steps = this.#waiting;
    this.#waiting = [];
    const settled: (() => void)[] = [];
    try {
      this.#steps.commit((batch) => {
        for (const { run, fail } of steps) settled.push(attempt(batch, run, fail));
      });
    } catch (error) {
      for (const { fail } of steps) fail(error);
      return;
    }
    for (const settle of settled) settle();
  }
}

function attempt(batch: StoreBatch, run: Waiting["run"], fail: Waiting["fail"]): () => void {
  try {
    return run(batch);
  } catch (error) {
    return () => fail(error);
  }
}
