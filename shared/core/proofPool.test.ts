import { describe, expect, test } from "vitest";
import { SvcError } from "../base/svcError.ts";
import { ABI_VERSION } from "./loadCore.ts";
import { ProofPool } from "./proofPool.ts";
import { localShard, remoteShard, type ProofShard, type ShardPort } from "./proofShard.ts";
import { PROVER_EXPORTS, type RawEngineProof, type RawEngineShard } from "./proverGlue.ts";
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
class FakeShard implements RawEngineShard {
  run(task: Uint8Array): Uint8Array {
    if (task[0] === 66) throw new Error('{"code":"engine/bad-call","data":{"reason":"66"}}');
    if (task[0] === 99) throw new WebAssembly.RuntimeError("unreachable");
    return task.map((byte) => byte * 2);
  }
  usedCache = () => false;
  cache = () => Uint8Array.of(7);
  free = () => {};
}

const glue = {
  ...Object.fromEntries(PROVER_EXPORTS.map((name) => [name, () => {}])),
  abiVersion: () => ABI_VERSION,
  builtInProfile: () => "",
  EngineKeys: class {
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

/** A proof of some steps; each gives every shard the same task. Ends with the sum of the last results. */
class FakeProof implements RawEngineProof {
  sum = 0;
  readonly #steps: readonly number[];
  readonly #shards: number;
  #step = 0;

  constructor(shards: number, steps: readonly number[]) {
    this.#shards = shards;
    this.#steps = steps;
  }

  next(results: readonly Uint8Array[]): Uint8Array[] | undefined {
    this.sum = results.reduce((sum, result) => sum + (result[0] ?? 0), 0);
    const step = this.#steps[this.#step];
    this.#step += 1;
    return step === undefined
      ? undefined
      : Array.from({ length: this.#shards }, () => Uint8Array.of(step));
  }
  phase = () => `step ${this.#step}`;
  fraction = () => this.#step / (this.#steps.length + 1);
  payment = () => {
    throw new Error("not made");
  };
  free = () => {};
}

function createPool(size: number) {
  const threads: FakeThread[] = [];
  const pool = new ProofPool({
    size,
    open(place): Promise<ProofShard> {
      if (place === 0) return Promise.resolve(localShard(new FakeShard(), async () => {}));
      const thread = new FakeThread();
      threads.push(thread);
      return remoteShard(thread, parts);
    },
  });
  return { pool, threads };
}

describe("proof pool", () => {
  test.each([1, 2, 5])("runs the steps over %i shards and tells each", async (size) => {
    const { pool, threads } = createPool(size);
    const proof = new FakeProof(size, [3, 4]);
    const told: [string, number][] = [];
    await pool.prove(proof, (phase, fraction) => told.push([phase, fraction]), never);
    expect(proof.sum).toBe(8 * size);
    expect(told.map(([phase]) => phase)).toEqual(["step 1", "step 2", "step 3"]);
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
    expect(order).toEqual(["a step 1", "a step 2", "b step 1", "b step 2"]);
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

  test("cancelling takes effect between two steps and leaves the pool usable", async () => {
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
