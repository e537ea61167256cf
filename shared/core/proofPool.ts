/**
 * The proof pool: a worker pool that divides one proof among several WebAssembly instances that share nothing.
 *
 * A coordinator (`RawPaymentProof`, in the pool's thread) hands out the tasks of one step after the other; results
 * are bytes. One proof at a time has all shards. A shard that ends is opened again by the next proof.
 */
import { abortable, throwIfAborted } from "../base/abort.ts";
import { SvcError } from "../base/svcError.ts";
import { callCore } from "./callCore.ts";
import type { ProofShard } from "./proofShard.ts";
import { ProofStep } from "./proofStep.ts";
import type { RawPaymentProof } from "./generated/proverGlue.ts";

/** Dependencies of the proof pool. */
export type ProofPoolParts = {
  /** Number of shards, at least one. */
  readonly size: number;
  /** Makes the shard of a place. Shard 0 is best kept in the pool's own thread: no message, no copy. */
  readonly open: (place: number) => Promise<ProofShard>;
};

/** A progress callback, called at each step and task: what is done now, and how much of the whole is done (0 to 1). */
export type PhaseProgress = (phase: string, fraction: number) => void;

/** The worker pool of one prover. */
export class ProofPool {
  readonly #parts: ProofPoolParts;
  readonly #shards: (Promise<ProofShard> | undefined)[];
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(parts: ProofPoolParts) {
    this.#parts = parts;
    this.#shards = Array.from({ length: Math.max(1, parts.size) }, () => undefined);
  }

  /** Number of shards: what a proof must be divided by. */
  get size(): number {
    return this.#shards.length;
  }

  /** Opens all shards that are not open. Rejects with the first reason why one cannot be made. */
  async warm(signal: AbortSignal): Promise<void> {
    await abortable(this.#openAll(), signal);
  }

  /**
   * Runs a proof to its end; it belongs to the caller, who frees it. Cancelling takes effect between two
   * tasks; what the shards still do then is not looked at. Errors: `run/aborted`, those of the tasks, and the
   * reason of a shard's end.
   */
  prove(proof: RawPaymentProof, progress: PhaseProgress, signal: AbortSignal): Promise<void> {
    const before = this.#last;
    const run = abortable(before, signal).then(() => this.#run(proof, progress, signal));
    // One that stops waiting does not let the next begin before its turn.
    this.#last = run.catch(() => undefined).then(() => before);
    return run;
  }

  /** Ends all shards, and with them the proof under way. Calling it again does nothing. */
  stop(): void {
    this.#stopped = true;
    for (const shard of this.#shards.splice(0)) {
      shard?.then(
        (open) => open.end(),
        () => undefined,
      );
    }
  }

  async #run(proof: RawPaymentProof, progress: PhaseProgress, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    const shards = await abortable(this.#openAll(), signal);
    try {
      let results: readonly Uint8Array[] = [];
      for (;;) {
        throwIfAborted(signal);
        const given = results;
        const tasks = callCore(() => proof.next(given));
        // Partial sums tell of the witness.
        for (const result of given) result.fill(0);
        const report = () => progress(proof.phase(), proof.fraction());
        report();
        if (tasks === undefined) return;
        const step = new ProofStep(
          shards,
          tasks,
          callCore(() => proof.movable()),
          () => {
            callCore(() => proof.served());
            report();
          },
        );
        results = await step.run(signal);
      }
    } catch (error) {
      for (const shard of shards) shard.forget();
      throw error;
    }
  }

  async #openAll(): Promise<readonly ProofShard[]> {
    if (this.#stopped) throw new SvcError("prove/failed", { reason: "the prover was stopped" });
    const opening = this.#shards.map((shard, place) => shard ?? this.#open(place));
    return Promise.all(opening);
  }

  #open(place: number): Promise<ProofShard> {
    const opening = this.#parts.open(place);
    this.#shards[place] = opening;
    const forget = () => {
      if (this.#shards[place] === opening) this.#shards[place] = undefined;
    };
    opening.then(({ ended }) => ended).then(forget, forget);
    return opening;
  }
}
