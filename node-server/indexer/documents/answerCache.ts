/** Keeps answers of one kind for as long as the index and the time that they depend on stay the same; askers share one making. */
import { abortable } from "@svc/shared/base/abort.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";

/** Answers by what they depend on. */
export class AnswerCache<T> {
  readonly #answers = new LruMap<string, Promise<T>>(INDEXER_LIMITS.indexAnswers);

  /** The answer of a key, made when there is none. Rejects as the making does, and with `run/aborted` for one asker alone. */
  get(key: string, signal: AbortSignal, make: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined) return abortable(known, signal);
    const made = make();
    this.#answers.set(key, made);
    made.catch(() => this.#answers.delete(key));
    return abortable(made, signal);
  }
}
