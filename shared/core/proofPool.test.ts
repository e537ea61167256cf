import { describe, expect, test } from "vitest";
import { SvcError } from "../base/svcError.ts";
import { ABI_VERSION } from "./loadCore.ts";
import { ProofPool } from "./proofPool.ts";
import { localShard, remoteShard, type ProofShard, type ShardPort } from "./proofShard.ts";
import {
  PROVER_EXPORTS,
  type RawPaymentProof,
  type RawProvingShard,
} from "./generated/proverGlue.ts";
import {
  movedBuffers,
  type ShardParts,
  type ShardReport,
  type ShardRequest,
} from "./shardMessages.ts";
import { shardServer } from "./shardServer.ts";

const never = new AbortController().signal;
/** The smallest module there is. */
const module = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
const parts: ShardParts = { module, assets: Uint8Array.of(1), cache: null };

/** A shard whose tasks are numbers: it answers twice the number, 66 is a bad task, 99 the end of it. */
class FakeShard implements RawProvingShard {
  run(task: Uint8Array): Uint8Array {
    if (task[0] === 66) throw new Error('{"code":"engine/bad-call","data":{"reason":"66"}}');
    if (task[0] === 99) throw new WebAssembly.RuntimeError("unreachable");
    return task.map((byte) => byte * 2);
  }
  forgotten = 0;
  forget(): void {
    this.forgotten += 1;
  }
  usedCache = () => false;
  cache = () => Uint8Array.of(7);
  free = () => {};
}

const glue = {
  ...Object.fromEntries(PROVER_EXPORTS.map((name) => [name, () => {}])),
  abiVersion: () => ABI_VERSION,
  builtInProfile: () => "",
  ProvingKeys: class {
    shard = () => new FakeShard();
    free = () => {};
  },
};

/** A thread of the same process: messages take a turn each way. */
class FakeThread implements ShardPort {
  readonly requests: ShardRequest[] = [];
  ended = false;
  #end: (reason: SvcError) => void = () => {};
  #hear: (report: ShardReport) => void = () => {};
  readonly #serve = shardServer(glue, (report) => queueMicrotask(() => this.#hear(report)));

  post(request: ShardRequest): void {
    this.requests.push(request);
    queueMicrotask(() => this.ended || this.#serve(request));
  }
  onReport(listener: (report: ShardReport) => void): void {
    this.#hear = listener;
  }
  onEnd(listener: (reason: SvcError) => void): void {
    this.#end = listener;
  }
  end(): void {
    this.ended = true;
  }
  die(): void {
    this.#end(new SvcError("internal/unexpected", { message: "died" }));
  }
}

/** A proof of some steps; each gives every shard the same tasks. Ends with the sum of the last results. */
class FakeProof implements RawPaymentProof {
  sum = 0;
  readonly #steps: readonly number[];
  readonly #shards: number;
  readonly #rounds: number;
  #step = 0;
  tasksServed = 0;

  constructor(shards: number, steps: readonly number[], rounds = 1) {
    this.#shards = shards;
    this.#steps = steps;
    this.#rounds = rounds;
  }

  next(results: readonly Uint8Array[]): Uint8Array[] | undefined {
    this.sum = results.reduce((sum, result) => sum + (result[0] ?? 0), 0);
    const step = this.#steps[this.#step];
    this.#step += 1;
    return step === undefined
      ? undefined
      : Array.from({ length: this.#shards * this.#rounds }, () => Uint8Array.of(step));
  }
  served(): void {
    this.tasksServed += 1;
  }
  movable = () => false;
  phase = () => `step ${this.#step}`;
  fraction = () => this.#step / (this.#steps.length + 1);
  payment = () => {
    throw new Error("not made");
  };
  free = () => {};
}

function createPool(size: number) {
  const threads: FakeThread[] = [];
  const local = new FakeShard();
  const pool = new ProofPool({
    size,
    open(place): Promise<ProofShard> {
      if (place === 0) return Promise.resolve(localShard(local, async () => {}));
      const thread = new FakeThread();
      threads.push(thread);
      return remoteShard(thread, parts);
    },
  });
  return { pool, threads, local };
}

describe("proof pool", () => {
  test.each([1, 2, 5])("runs the steps over %i shards and tells each", async (size) => {
    const { pool, threads } = createPool(size);
    const proof = new FakeProof(size, [3, 4]);
    const told: [string, number][] = [];
    await pool.prove(proof, (phase, fraction) => told.push([phase, fraction]), never);
    expect(proof.sum).toBe(8 * size);
    expect(proof.tasksServed).toBe(2 * size);
    const phases = told.map(([phase]) => phase);
    expect([...new Set(phases)]).toEqual(["step 1", "step 2", "step 3"]);
    expect(phases.length).toBe(3 + 2 * size);
    expect(told.at(-1)?.[1]).toBe(1);
    expect([pool.size, threads.length]).toEqual([size, size - 1]);
  });

  test("one proof at a time has all shards", async () => {
    const { pool } = createPool(2);
    const order: string[] = [];
    const follow = (name: string) => (phase: string) => order.push(`${name} ${phase}`);
    await Promise.all([
      pool.prove(new FakeProof(2, [1]), follow("a"), never),
      pool.prove(new FakeProof(2, [1]), follow("b"), never),
    ]);
    expect([...new Set(order)]).toEqual(["a step 1", "a step 2", "b step 1", "b step 2"]);
  });

  test("a bad task fails its proof; the shards go on", async () => {
    const { pool, threads } = createPool(2);
    await expect(pool.prove(new FakeProof(2, [66]), () => {}, never)).rejects.toThrow(
      "engine/bad-call",
    );
    await pool.prove(new FakeProof(2, [1]), () => {}, never);
    expect(threads.length).toBe(1);
  });

  test("a shard that ends fails the proof with its reason and is opened again by the next", async () => {
    const { pool, threads } = createPool(2);
    await pool.warm(never);
    const proving = pool.prove(new FakeProof(2, [1, 1, 1]), () => threads[0]?.die(), never);
    await expect(proving).rejects.toThrow("internal/unexpected");
    expect(threads[0]?.ended).toBe(true);
    const proof = new FakeProof(2, [1]);
    await pool.prove(proof, () => {}, never);
    expect([proof.sum, threads.length]).toEqual([4, 2]);
  });

  test("a trap ends the shard it happens in", async () => {
    const { pool, threads } = createPool(2);
    await expect(pool.prove(new FakeProof(2, [99]), () => {}, never)).rejects.toThrow(
      "engine/panic",
    );
    await pool.warm(never);
    expect(threads.length).toBe(2);
  });

  test("cancelling takes effect between two tasks and leaves the pool usable", async () => {
    const { pool, threads } = createPool(2);
    const abort = new AbortController();
    const proof = new FakeProof(2, [1, 1, 1]);
    const stopAt = (phase: string) => {
      if (phase === "step 2") abort.abort();
    };
    await expect(pool.prove(proof, stopAt, abort.signal)).rejects.toThrow("run/aborted");
    const next = new FakeProof(2, [5]);
    await pool.prove(next, () => {}, never);
    expect(next.sum).toBe(20);
    expect(threads.length).toBe(1);
    await expect(pool.prove(next, () => {}, abort.signal)).rejects.toThrow("run/aborted");
  });

  test("a proof that is given up is forgotten by all shards, a finished one by none", async () => {
    const { pool, threads, local } = createPool(2);
    const told = () => threads[0]?.requests.map(({ kind }) => kind);
    await pool.prove(new FakeProof(2, [1]), () => {}, never);
    expect([told(), local.forgotten]).toEqual([["open", "run"], 0]);
    const abort = new AbortController();
    const given = pool.prove(new FakeProof(2, [1]), () => abort.abort(), abort.signal);
    await expect(given).rejects.toThrow("run/aborted");
    await expect(pool.prove(new FakeProof(2, [66]), () => {}, never)).rejects.toThrow(
      "engine/bad-call",
    );
    // The one that is given up at its first report has asked for nothing.
    const all = ["open", "run", "forget", "run", "forget"];
    expect([told(), local.forgotten]).toEqual([all, 2]);
  });

  test("a proof that waits for another can be cancelled at once", async () => {
    const { pool } = createPool(1);
    const first = new FakeProof(1, [1, 1]);
    const abort = new AbortController();
    const order: string[] = [];
    const running = pool.prove(first, () => abort.abort(), never).then(() => order.push("first"));
    const waiting = pool
      .prove(new FakeProof(1, [1]), () => order.push("never"), abort.signal)
      .catch((error: unknown) => order.push(SvcError.from(error).code));
    await Promise.all([running, waiting]);
    expect(order).toEqual(["run/aborted", "first"]);
    const next = new FakeProof(1, [5]);
    await pool.prove(next, () => {}, never);
    expect(next.sum).toBe(10);
  });

  test("a shard in this thread serves one task after the other", async () => {
    const turns: (() => void)[] = [];
    const shard = localShard(new FakeShard(), () => new Promise((resolve) => turns.push(resolve)));
    const served: number[] = [];
    const runs = [3, 4].map(async (task) => {
      served.push((await shard.run(Uint8Array.of(task)))[0] ?? 0);
    });
    await Promise.resolve();
    // The second turn comes first: it is not the second task's to begin.
    turns.toReversed().forEach((turn) => turn());
    for (let round = 0; round < 8; round += 1) await Promise.resolve();
    turns.forEach((turn) => turn());
    await Promise.all(runs);
    expect(served).toEqual([6, 8]);
  });

  test("tasks and results are overwritten when they were used", async () => {
    const task = Uint8Array.of(3);
    const reports: ShardReport[] = [];
    const serve = shardServer(glue, (report) => reports.push(report));
    serve({ kind: "open", parts });
    serve({ kind: "run", id: 1, task });
    expect(task).toEqual(Uint8Array.of(0));
    expect(reports).toMatchObject([{ kind: "opened" }, { result: Uint8Array.of(6) }]);
    task.fill(66);
    serve({ kind: "run", id: 2, task });
    expect([reports.at(-1)?.kind, task[0]]).toEqual(["refused", 0]);
    task.fill(4);
    const shard = localShard(new FakeShard(), async () => {});
    expect([await shard.run(task), task[0]]).toEqual([Uint8Array.of(8), 0]);
    const results: Uint8Array[] = [];
    const keep: ProofShard = {
      ...shard,
      run: async () => results[results.push(Uint8Array.of(9)) - 1] ?? task,
    };
    const pool = new ProofPool({ size: 1, open: async () => keep });
    const proof = new FakeProof(1, [1, 1]);
    await pool.prove(proof, () => {}, never);
    expect([proof.sum, results.map(([byte]) => byte)]).toEqual([9, [0, 0]]);
  });

  test("a stopped pool has ended its threads and refuses", async () => {
    const { pool, threads } = createPool(3);
    await pool.warm(never);
    pool.stop();
    pool.stop();
    await expect(pool.prove(new FakeProof(3, [1]), () => {}, never)).rejects.toThrow(
      "prove/failed",
    );
    expect(threads.map(({ ended }) => ended)).toEqual([true, true]);
  });

  test("a thread that cannot make its shard says why, once", async () => {
    const broken = shardServer({ ...glue, abiVersion: () => 99 }, (report) => reports.push(report));
    const reports: ShardReport[] = [];
    broken({ kind: "open", parts });
    broken({ kind: "run", id: 1, task: Uint8Array.of(1) });
    expect(reports).toMatchObject([{ kind: "failed", error: { code: "engine/abi-mismatch" } }]);
  });

  test("tasks and results move whole buffers and nothing else", () => {
    const task = Uint8Array.of(1, 2);
    expect(movedBuffers({ kind: "run", id: 1, task })).toEqual([task.buffer]);
    expect(movedBuffers({ kind: "run", id: 1, task: task.subarray(1) })).toEqual([]);
    expect(movedBuffers({ kind: "open", parts })).toEqual([]);
  });
});
