/** One step of a proof: runs the tasks of all shards in parallel. */
import { abortable, throwIfAborted } from "../base/abort.ts";
import { SvcError } from "../base/svcError.ts";
import type { ProofShard } from "./proofShard.ts";

/** The run of one step. */
export class ProofStep {
  readonly #shards: readonly ProofShard[];
  readonly #tasks: readonly Uint8Array[];
  readonly #movable: boolean;
  readonly #served: () => void;
  /** Places of the tasks that each shard has not been given yet. */
  readonly #waiting: number[][];
  readonly #results: Uint8Array[];
  #over = false;

  /**
   * @param tasks One for each shard, then the next for each, and so on.
   * @param movable Whether a shard that has done its own may take those that others have not begun.
   * @param served Called after each task.
   */
  constructor(
    shards: readonly ProofShard[],
    tasks: readonly Uint8Array[],
    movable: boolean,
    served: () => void,
  ) {
    if (tasks.length % shards.length !== 0) {
      const message = `${tasks.length} tasks for ${shards.length} shards`;
      throw new SvcError("internal/unexpected", { message });
    }
    this.#shards = shards;
    this.#tasks = tasks;
    this.#movable = movable;
    this.#served = served;
    this.#waiting = shards.map(() => []);
    for (const place of tasks.keys()) this.#waiting[place % shards.length]?.push(place);
    this.#results = tasks.map(() => new Uint8Array());
  }

  /** The results in the order of the tasks. Rejects with the first error, or `run/aborted`; then no task is begun. */
  async run(signal: AbortSignal): Promise<readonly Uint8Array[]> {
    try {
      throwIfAborted(signal);
      // Every shard has its first task before anyone looks for more.
      const lines = this.#shards.flatMap((shard, index) =>
        Array.from({ length: shard.ahead }, (_, line) =>
          this.#serve(shard, index, this.#movable && line === 0, signal),
        ),
      );
      await abortable(Promise.all(lines), signal);
      return this.#results;
    } catch (error) {
      this.#giveUp();
      throw error;
    }
  }

  /** Begins no other task; overwrites what is here, which tells of the witness. */
  #giveUp(): void {
    this.#over = true;
    for (const place of this.#waiting.flat()) this.#tasks[place]?.fill(0);
    for (const result of this.#results) result.fill(0);
  }

  /** Gives the shard one task after the other. */
  async #serve(
    shard: ProofShard,
    index: number,
    helps: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      if (this.#over) return;
      throwIfAborted(signal);
      const place = this.#waiting[index]?.shift() ?? (helps ? this.#takeOver() : undefined);
      const task = place === undefined ? undefined : this.#tasks[place];
      if (place === undefined || task === undefined) return;
      const result = await shard.run(task);
      this.#results[place] = result;
      if (this.#over) result.fill(0);
      else this.#served();
    }
  }

  /** The last task of the shard that has most of them before it. */
  #takeOver(): number | undefined {
    const most = this.#waiting.reduce((most, waiting) =>
      waiting.length > most.length ? waiting : most,
    );
    return most.pop();
  }
}
