import { describe, expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { ScriptedThread } from "../../platform/testkit/scriptedThread.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import type { VerifyReport, VerifyRequest } from "./verifyMessages.ts";
import { VerifyPool, verifyWorkers, type VerifyPoolParts } from "./verifyPool.ts";

/** A verifying thread whose verdicts the test gives. */
class Judge extends ScriptedThread<VerifyRequest, VerifyReport> {
  get batches(): { id: number; jobs: readonly ProofJob[] }[] {
    return this.requests.filter((request) => "jobs" in request);
  }

  get jobs(): readonly ProofJob[] {
    return this.batches.flatMap(({ jobs }) => jobs);
  }

  ready(): void {
    this.report({ kind: "ready" });
  }

  /** The same verdict on every job of the last batch, or one each. */
  answer(...errors: (SvcError | null)[]): void {
    const request = this.batches.at(-1);
    if (request === undefined) return;
    const verdicts = request.jobs.map((_, index) => errors[index] ?? errors[0]);
    this.report({
      kind: "verdicts",
      id: request.id,
      errors: verdicts.map((error) => error?.toJSON() ?? null),
    });
  }

  crash(): void {
    this.exit(new SvcError("engine/panic", { message: "crashed" }));
  }
}

const job = (n: number, bytes = 0): ProofJob => ({
  txid: n.toString(16).padStart(64, "0"),
  format: 1,
  raw: new Uint8Array(bytes),
});

const txids = (...numbers: number[]) => numbers.map((n) => job(n).txid);

function createPool(
  threads: number,
  batch = 1,
  clock = new ManualClock(0n),
  last: VerifyPoolParts["last"] = null,
) {
  const spawned: Judge[] = [];
  const fatal: string[] = [];
  const pool = new VerifyPool({
    threads,
    batch,
    last,
    clock,
    log: createLog("silent"),
    onFatal: (error) => fatal.push(error.code),
    spawn: () => {
      const thread = new Judge();
      spawned.push(thread);
      return thread;
    },
  });
  pool.start();
  return { pool, spawned, fatal };
}

describe("verify pool", () => {
  test("what stops a verifier twice is judged by the last one, and waits there once for all who ask", async () => {
    const judged: string[] = [];
    const verdicts = [null, new SvcError("tx/invalid-proof", { reason: "no" })];
    const last = {
      verify: async ({ txid }: ProofJob) => {
        judged.push(txid);
        return verdicts.shift() ?? null;
      },
      stop: async () => void judged.push("stopped"),
    };
    const { pool, spawned, fatal } = createPool(1, 1, new ManualClock(0n), last);
    for (const [n, code] of [
      [1, undefined],
      [2, "tx/invalid-proof"],
    ] as const) {
      spawned.at(-1)?.ready();
      const both = [pool.verify(job(n), { urgent: true }), pool.verify(job(n))];
      spawned.at(-1)?.crash();
      await Promise.resolve();
      spawned.at(-1)?.ready();
      spawned.at(-1)?.crash();
      for (const verdict of await Promise.all(both)) expect(verdict?.code).toBe(code);
    }
    expect([judged, pool.pending, fatal]).toEqual([txids(1, 2), 0, []]);
    // The pool goes on with others.
    spawned.at(-1)?.ready();
    const other = pool.verify(job(3));
    spawned.at(-1)?.answer(null);
    expect(await other).toBeNull();
    await pool.stop();
    expect(judged.at(-1)).toBe("stopped");
  });

  test("jobs wait for the key; the same transaction is judged once", async () => {
    const { pool, spawned } = createPool(1);
    const [thread] = spawned;
    const [a, again, b] = [pool.verify(job(1)), pool.verify(job(1)), pool.verify(job(2))];
    expect([pool.ready, pool.pending, thread?.jobs.length]).toEqual([false, 2, 0]);
    thread?.ready();
    await pool.keysReady;
    expect([pool.ready, thread?.jobs.length]).toEqual([true, 1]);
    thread?.answer(null);
    expect([await a, await again]).toEqual([null, null]);
    thread?.answer(new SvcError("tx/invalid-proof", { reason: "no" }));
    expect((await b)?.code).toBe("tx/invalid-proof");
    expect(pool.pending).toBe(0);
  });

  test("more threads start while jobs queue up, one at a time, up to the bound", () => {
    const { pool, spawned } = createPool(3);
    spawned[0]?.ready();
    for (let n = 0; n < 40; n += 1) void pool.verify(job(n)).catch(() => {});
    expect(spawned.length).toBe(2);
    spawned[1]?.ready();
    expect(spawned.length).toBe(3);
    spawned[2]?.ready();
    expect(spawned.length).toBe(3);
    expect(spawned.map((thread) => thread.jobs.length)).toEqual([1, 1, 1]);
  });

  test("proofs of blocks go before proofs of waiting transactions", () => {
    const { pool, spawned } = createPool(1);
    for (const n of [1, 2]) void pool.verify(job(n));
    void pool.verify(job(3), { urgent: true });
    spawned[0]?.ready();
    for (let answered = 0; answered < 3; answered += 1) spawned[0]?.answer(null);
    expect(spawned[0]?.jobs.map(({ txid }) => txid)).toEqual(txids(3, 1, 2));
  });

  test("a crashed verifier is replaced; a transaction that crashes two is refused", async () => {
    const { pool, spawned } = createPool(1);
    spawned[0]?.ready();
    const poison = pool.verify(job(1));
    const good = pool.verify(job(2));
    spawned[0]?.crash();
    spawned[1]?.ready();
    expect(spawned[1]?.jobs[0]?.txid).toBe(job(1).txid);
    spawned[1]?.crash();
    await expect(poison).rejects.toThrow("engine/panic");
    spawned[2]?.ready();
    spawned[2]?.answer(null);
    expect(await good).toBeNull();
  });

  test("a verifier that cannot start is given up after a bounded number of tries", async () => {
    const { pool, spawned, fatal } = createPool(1);
    const waiting = pool.verify(job(1));
    for (let n = 0; n < PLATFORM_LIMITS.workerRestarts; n += 1) spawned[n]?.crash();
    expect(fatal).toEqual([]);
    spawned[PLATFORM_LIMITS.workerRestarts]?.crash();
    await expect(waiting).rejects.toThrow("engine/panic");
    await expect(pool.verify(job(2), { urgent: true })).rejects.toThrow("engine/panic");
    expect(fatal).toEqual(["engine/panic"]);
    expect(spawned.length).toBe(PLATFORM_LIMITS.workerRestarts + 1);
  });

  test("a waiting transaction that turns up in a block goes first", () => {
    const { pool, spawned } = createPool(1);
    for (const n of [1, 2, 3]) void pool.verify(job(n));
    void pool.verify(job(3), { urgent: true });
    spawned[0]?.ready();
    for (let answered = 0; answered < 3; answered += 1) spawned[0]?.answer(null);
    expect(spawned[0]?.jobs.map(({ txid }) => txid)).toEqual(txids(3, 1, 2));
  });

  test("what waits is judged in batches, each job with its own verdict", async () => {
    const { pool, spawned } = createPool(1, 4);
    const verdicts = [1, 2, 3, 4, 5].map((n) => pool.verify(job(n)));
    const urgent = [6, 7].map((n) => pool.verify(job(n), { urgent: true }));
    const [thread] = spawned;
    thread?.ready();
    expect(thread?.jobs.map(({ txid }) => txid)).toEqual(txids(6, 7));
    thread?.answer(null);
    expect(thread?.batches.at(-1)?.jobs.length).toBe(4);
    thread?.answer(null, new SvcError("shielded/proof-invalid", {}), null, null);
    expect(thread?.batches.at(-1)?.jobs.map(({ txid }) => txid)).toEqual(txids(5));
    thread?.answer(null);
    expect(await Promise.all(urgent)).toEqual([null, null]);
    const codes = (await Promise.all(verdicts)).map((error) => error?.code ?? null);
    expect(codes).toEqual([null, "shielded/proof-invalid", null, null, null]);
  });

  test("a batch is bounded in bytes", () => {
    const { pool, spawned } = createPool(1, 64);
    const half = ENGINE_LIMITS.verifyBatchBytes / 2;
    for (const n of [1, 2, 3]) void pool.verify(job(n, half));
    spawned[0]?.ready();
    expect(spawned[0]?.jobs.map(({ txid }) => txid)).toEqual(txids(1, 2));
  });

  test("256 slow junk payments beside an honest one: it is judged in the next batch, with seven of them", async () => {
    const { pool, spawned } = createPool(1, ENGINE_LIMITS.verifyBatchJobs);
    const [thread] = spawned;
    thread?.ready();
    const junk = Array.from({ length: 256 }, (_, n) => pool.verify(job(n), { source: "attacker" }));
    const refused = Promise.allSettled(junk);
    const honest = pool.verify(job(1_000), { source: "wallet" });
    const falseProof = new SvcError("shielded/proof-invalid", {});
    let batches = 0;
    for (; !thread?.jobs.some(({ txid }) => txid === job(1_000).txid); batches += 1) {
      thread?.answer(falseProof);
    }
    const last = thread?.batches.at(-1);
    const errors = (last?.jobs ?? []).map(({ txid }) =>
      txid === job(1_000).txid ? null : falseProof.toJSON(),
    );
    const before = (thread?.jobs.length ?? 0) - 1;
    thread?.report({ kind: "verdicts", id: last?.id ?? 0, errors });
    expect(await honest).toBeNull();
    expect([batches, before]).toEqual([1, ENGINE_LIMITS.verifyBatchStrangers]);
    await pool.stop();
    // One was being judged when the share of those that wait was filled.
    const full = (await refused).filter(
      (one) => one.status === "rejected" && String(one.reason).includes("queue-full"),
    );
    expect(full).toHaveLength(256 - 1 - ENGINE_LIMITS.verifySourceJobs);
  });

  test("other bytes with the same id are judged by themselves", async () => {
    const { pool, spawned } = createPool(1, 4);
    const [one, other] = [job(1, 1), { ...job(1, 1), raw: Uint8Array.of(7) }];
    const verdicts = [pool.verify(one), pool.verify(other)];
    spawned[0]?.ready();
    expect(spawned[0]?.jobs).toHaveLength(2);
    spawned[0]?.answer(null, new SvcError("shielded/proof-invalid", {}));
    expect((await Promise.all(verdicts)).map((error) => error?.code)).toEqual([
      undefined,
      "shielded/proof-invalid",
    ]);
  });

  test("idle verifiers share what waits", () => {
    const { pool, spawned } = createPool(2, 64);
    spawned[0]?.ready();
    for (let n = 0; n < 9; n += 1) void pool.verify(job(n));
    expect(spawned.map((thread) => thread.jobs.length)).toEqual([1, 0]);
    spawned[1]?.ready();
    expect(spawned.map((thread) => thread.jobs.length)).toEqual([1, 8]);
  });

  test("of a batch that stops a verifier each job is tried again by itself", async () => {
    const { pool, spawned } = createPool(1, 64);
    const [a, poison, b] = [1, 2, 3].map((n) => pool.verify(job(n)));
    spawned[0]?.ready();
    spawned[0]?.crash();
    spawned[1]?.ready();
    expect(spawned[1]?.jobs.map(({ txid }) => txid)).toEqual(txids(1));
    spawned[1]?.answer(null);
    spawned[1]?.crash();
    await expect(poison).rejects.toThrow("engine/panic");
    spawned[2]?.ready();
    spawned[2]?.answer(null);
    expect(await Promise.all([a, b])).toEqual([null, null]);
  });

  test("a full queue refuses all but proofs of blocks, a stopped pool everybody", async () => {
    const { pool } = createPool(1);
    const waiting: Promise<unknown>[] = [];
    for (let n = 0; n < ENGINE_LIMITS.verifyJobs; n += 1) waiting.push(pool.verify(job(n)));
    await expect(pool.verify(job(-1 >>> 0))).rejects.toThrow("mempool/verification-queue-full");
    waiting.push(pool.verify(job(ENGINE_LIMITS.verifyJobs + 1), { urgent: true }));
    expect(pool.pending).toBe(ENGINE_LIMITS.verifyJobs + 1);
    const settled = Promise.allSettled(waiting);
    await pool.stop();
    await pool.stop();
    expect((await settled).every(({ status }) => status === "rejected")).toBe(true);
    await expect(pool.verify(job(1))).rejects.toThrow("node/stopping");
  });

  test("one core stays free for the engine", () => {
    expect([1, 2, 3, 4, 64].map(verifyWorkers)).toEqual([
      1,
      1,
      2,
      3,
      ENGINE_LIMITS.verifyWorkersMax,
    ]);
  });
});

describe("proofs of a chain that is caught up with", () => {
  function setUp(batch: number = ENGINE_LIMITS.verifyBatchJobs) {
    const clock = new ManualClock(0n);
    const { pool, spawned } = createPool(2, batch, clock);
    const [thread] = spawned;
    if (thread === undefined) throw new Error("no thread was started");
    thread.ready();
    pool.setBatchDelay(true);
    const ask = (...numbers: number[]): void => {
      for (const n of numbers) void pool.verify(job(n), { urgent: true }).catch(() => undefined);
    };
    const sizes = (): number[] => thread.batches.map(({ jobs }) => jobs.length);
    const passed = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await settle();
    };
    return { pool, thread, spawned, ask, sizes, passed };
  }
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test("wait for a batch, and start no further thread meanwhile", async () => {
    const { thread, spawned, ask, sizes, passed } = setUp();
    ask(1, 2, 3, 4, 5, 6, 7, 8, 9);
    await passed(ENGINE_LIMITS.verifyBatchDelayMs - 1);
    expect(sizes()).toEqual([]);
    await passed(1);
    expect([sizes(), spawned.length]).toEqual([[9], 1]);
    thread.answer(null);
    ask(10);
    await passed(ENGINE_LIMITS.verifyBatchDelayMs - 1);
    expect(sizes()).toEqual([9]);
    await passed(1);
    expect(sizes()).toEqual([9, 1]);
  });

  test("wait no longer when there are enough, and those of the pool do not wait", () => {
    const { pool, thread, ask, sizes } = setUp();
    const numbers = Array.from({ length: ENGINE_LIMITS.verifyBatchDelayJobs }, (_, n) => n + 1);
    ask(...numbers.slice(1));
    expect(sizes()).toEqual([]);
    void pool.verify(job(1_000)).catch(() => undefined);
    expect(thread.jobs.map(({ txid }) => txid)).toEqual(txids(1_000));
    thread.answer(null);
    ask(1);
    expect(sizes()).toEqual([1, ENGINE_LIMITS.verifyBatchDelayJobs]);
  });

  test("are judged when it is over, and one by one by a verifier that gains nothing from batches", () => {
    const { pool, ask, sizes } = setUp();
    ask(1, 2);
    expect(sizes()).toEqual([]);
    pool.setBatchDelay(false);
    expect(sizes()).toEqual([2]);
    const single = setUp(1);
    single.ask(1);
    expect(single.sizes()).toEqual([1]);
  });
});
