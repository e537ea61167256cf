import { describe, expect, test } from "vitest";
import { SvcError } from "../base/svcError.ts";
import type { ProofShard } from "./proofShard.ts";
import { ProofStep } from "./proofStep.ts";

const never = new AbortController().signal;

/** A shard that serves when it is told to, and answers with its name and the task. */
class HeldShard implements ProofShard {
  readonly ahead: number;
  readonly given: number[] = [];
  readonly ended = new Promise<SvcError>(() => {});
  readonly #name: number;
  readonly #held: { task: Uint8Array; answer: PromiseWithResolvers<Uint8Array> }[] = [];

  constructor(name: number, ahead: number) {
    this.#name = name;
    this.ahead = ahead;
  }

  run(task: Uint8Array): Promise<Uint8Array> {
    const answer = Promise.withResolvers<Uint8Array>();
    this.given.push(task[0] ?? 0);
    this.#held.push({ task, answer });
    return answer.promise;
  }

  /** Serves the oldest task. */
  async serve(): Promise<Uint8Array> {
    const held = this.#held.shift();
    if (held === undefined) throw new SvcError("internal/unexpected", { message: "no task" });
    const result = Uint8Array.of(this.#name, held.task[0] ?? 0);
    held.answer.resolve(result);
    for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
    return result;
  }

  fail(): void {
    this.#held.shift()?.answer.reject(new SvcError("prove/failed", { reason: "held" }));
  }

  forget(): void {}
  end(): void {}
}

function createStep(rounds: number, movable: boolean) {
  const shards = [new HeldShard(0, 1), new HeldShard(1, 2)] as const;
  const tasks = Array.from({ length: 2 * rounds }, (_, index) => Uint8Array.of(10 + index));
  let served = 0;
  const step = new ProofStep(shards, tasks, movable, () => (served += 1));
  return { shards, tasks, step, served: () => served };
}

describe("step of a proof", () => {
  test("every shard serves its own in order, as many at a time as suit it", async () => {
    const { shards, step, served } = createStep(3, false);
    const [here, there] = shards;
    const running = step.run(never);
    expect([here.given, there.given]).toEqual([[10], [11, 13]]);
    for (let round = 0; round < 3; round += 1) await there.serve();
    expect([here.given, there.given]).toEqual([[10], [11, 13, 15]]);
    for (let round = 0; round < 3; round += 1) await here.serve();
    const results = await running;
    expect(results.map(([shard, task]) => [shard, task])).toEqual([
      [0, 10],
      [1, 11],
      [0, 12],
      [1, 13],
      [0, 14],
      [1, 15],
    ]);
    expect(served()).toBe(6);
  });

  test("a shard that is done takes over the last tasks of the slowest, never what it has begun", async () => {
    const { shards, step } = createStep(4, true);
    const [here, there] = shards;
    const running = step.run(never);
    for (let round = 0; round < 6; round += 1) await there.serve();
    // One at a time: taken over, a task may keep the others waiting.
    expect(there.given).toEqual([11, 13, 15, 17, 16, 14, 12]);
    expect(here.given).toEqual([10]);
    await there.serve();
    await here.serve();
    const results = await running;
    expect(results.map(([, task]) => task)).toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
    expect(results[2]?.[0]).toBe(1);
  });

  test("after an error or a cancellation no task is begun, and what was there is overwritten", async () => {
    const failing = createStep(3, true);
    const run = failing.step.run(never);
    const result = await failing.shards[1].serve();
    failing.shards[0].fail();
    await expect(run).rejects.toThrow("prove/failed");
    const late = await failing.shards[1].serve();
    expect(failing.shards[1].given).toEqual([11, 13, 15]);
    expect([...result, ...late]).toEqual([0, 0, 0, 0]);
    expect(failing.tasks[4]).toEqual(Uint8Array.of(0));
    expect(failing.served()).toBe(1);

    const abort = new AbortController();
    const cancelled = createStep(2, false);
    const running = cancelled.step.run(abort.signal);
    abort.abort();
    await expect(running).rejects.toThrow("run/aborted");
    await cancelled.shards[0].serve();
    expect(cancelled.shards[0].given).toEqual([10]);
  });

  test("tasks that do not come out even are refused", () => {
    const shards = [new HeldShard(0, 1), new HeldShard(1, 2)];
    expect(() => new ProofStep(shards, [Uint8Array.of(1)], false, () => {})).toThrow(
      "internal/unexpected",
    );
  });
});
