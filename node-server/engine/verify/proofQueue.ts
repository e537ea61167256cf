/**
 * The queue of unconfirmed transactions' proofs before the verifiers.
 *
 * Sources take turns. Sources whose last proof was valid have batches of their own. So however many hosts hand in false proofs,
 * such a source waits for one batch of strangers at most. Batches of strangers are small: a false proof holds up its
 * whole batch (decision 21).
 */
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { WorkSource } from "./workRateLimiter.ts";
import { FairQueue } from "./fairQueue.ts";

/** Bounds of the batch that a verifier takes. */
export type ProofShare<T> = {
  /** Most proofs of a batch. */
  readonly batch: number;
  /** Verifiers that share what waits, this one among them. */
  readonly idle: number;
  /** As in a fair queue. */
  readonly fits: (item: T) => boolean;
};

/** Two fair queues: one of known sources, one of strangers. What has no source is this node's own and known. */
export class ProofQueue<T extends object> {
  readonly #known = new FairQueue<T>();
  readonly #strangers = new FairQueue<T>();
  /** Sources whose last proof held; one that is forgotten is a stranger again. */
  readonly #standing = new LruMap<WorkSource, true>(ENGINE_LIMITS.workSources);
  #isStrangersTurn = false;

  /** Proofs that wait. */
  get size(): number {
    return this.#known.size + this.#strangers.size;
  }

  /** Proofs of a source that wait. */
  sizeOf(source: WorkSource | undefined): number {
    return this.#known.sizeOf(source) + this.#strangers.sizeOf(source);
  }

  /** Adds a proof behind the others of its source. */
  push(item: T, source: WorkSource | undefined): void {
    const isKnown = source === undefined || this.#standing.has(source);
    (isKnown ? this.#known : this.#strangers).push(item, source);
  }

  /** Takes a batch, of known sources and of strangers in turn. */
  take({ batch, idle, fits }: ProofShare<T>): T[] {
    const isStrangers =
      this.#known.size === 0 || (this.#isStrangersTurn && this.#strangers.size > 0);
    this.#isStrangersTurn = !isStrangers;
    const queue = isStrangers ? this.#strangers : this.#known;
    const perSource = ENGINE_LIMITS.verifyBatchSourceJobs;
    const most = isStrangers ? Math.min(batch, ENGINE_LIMITS.verifyBatchStrangers) : batch;
    return queue.take({ items: Math.min(most, Math.ceil(queue.size / idle)), perSource, fits });
  }

  /** Hears how a proof of a source was judged; one that fails makes it a stranger, with all of its that wait. */
  judged(source: WorkSource | undefined, holds: boolean): void {
    if (source === undefined) return;
    if (holds) {
      this.#standing.set(source, true);
      return;
    }
    this.#standing.delete(source);
    for (const item of this.#known.takeAll(source)) this.#strangers.push(item, source);
  }

  /** Removes a proof of a source; false when it does not wait. */
  delete(item: T, source: WorkSource | undefined): boolean {
    return this.#known.delete(item, source) || this.#strangers.delete(item, source);
  }

  /** Forgets all proofs. */
  clear(): void {
    this.#known.clear();
    this.#strangers.clear();
  }
}
