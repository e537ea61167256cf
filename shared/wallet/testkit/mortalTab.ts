/** Test kit: a browser tab that is killed at a step, and a store whose commits are steps of it. */
import { MemoryStore } from "./ports.ts";

/** Ends at its `deadly` step: nothing answers any more from there on. */
export class MortalTab {
  steps = 0;
  readonly #deadly: number;

  constructor(deadly = Infinity) {
    this.#deadly = deadly;
  }

  /** Does the work of a step; never settles in a dead tab. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.steps >= this.#deadly) return new Promise<never>(() => undefined);
    this.steps += 1;
    return work();
  }
}

/** A store that outlives its tabs. */
export class MortalTabStore extends MemoryStore {
  tab = new MortalTab();

  override commit(change: Parameters<MemoryStore["commit"]>[0]): Promise<void> {
    return this.tab.step(() => super.commit(change));
  }
}
