/**
 * The verification pool: a worker pool that judges proofs in batches on several threads.
 *
 * The first thread starts with the node and builds its key in the background; more are started while jobs
 * queue up. Queued proofs are judged in batches, which costs less than one at a time; sources of waiting transactions take
 * turns. A thread that fails is replaced and each of its jobs tried once more by itself, and then by the upstream
 * verifier. Bytes asked for twice are judged once.
 */
import { hash } from "node:crypto";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { ProverKind } from "@svc/shared/core/planProver.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { SupervisedThread, type FailedReport } from "../../platform/thread/supervisedThread.ts";
import type { Thread } from "../../platform/thread/thread.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import type { WorkSource } from "./workRateLimiter.ts";
import { BatchDelay } from "./batchDelay.ts";
import { ProofQueue } from "./proofQueue.ts";
import type { VerifyReport, VerifyRequest } from "./verifyMessages.ts";

/** Dependencies of the pool. */
export type VerifyPoolParts = {
  readonly spawn: () => Thread<VerifyRequest, VerifyReport>;
  /** Judges what stops a verifier twice; null where that is its end. */
  readonly last: {
    readonly verify: (job: ProofJob) => Promise<ProofVerdict>;
    readonly stop: () => Promise<void>;
  } | null;
  /** Most threads; see [`verifyWorkers`]. */
  readonly threads: number;
  /** Most proofs that a thread is given at once; 1 where a batch saves nothing. */
  readonly batch: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called once, when no verifier can be kept running: no proof is judged any more. */
  readonly onFatal: (error: SvcError) => void;
};

/** The verdict on a proof: null when it holds, else why not. */
export type ProofVerdict = SvcError | null;

/** Priority and source of a proof. */
export type ProofOrder = {
  /** Of a block: it goes first, and is never refused for want of room. */
  readonly urgent?: boolean;
  /** Who handed the transaction in; left out, it is this node's own concern and has no share. */
  readonly source?: WorkSource | undefined;
};

type Task = {
  readonly key: string;
  readonly job: ProofJob;
  readonly source: WorkSource | undefined;
  readonly result: PromiseWithResolvers<ProofVerdict>;
  failures: number;
};

type Verifier = {
  readonly thread: SupervisedThread<VerifyRequest, Exclude<VerifyReport, FailedReport>>;
  readonly startedMs: bigint;
  ready: boolean;
  /** What it judges now. */
  tasks: readonly Task[];
};

/** The number of verifiers that suits a machine with this many cores: one core stays free for the engine. */
export function verifyWorkers(cores: number): number {
  return Math.max(1, Math.min(ENGINE_LIMITS.verifyWorkersMax, cores - 1));
}

/** The number of proofs that a verifier of this kind is given at once: the upstream one judges them one by one anyway. */
export function verifyBatch(prover: ProverKind): number {
  return prover === "own" ? ENGINE_LIMITS.verifyBatchJobs : 1;
}

/** The worker pool of verifiers. */
export class VerifyPool {
  readonly #parts: VerifyPoolParts;
  readonly #verifiers = new Set<Verifier>();
  readonly #tasks = new Map<string, Task>();
  /** Proofs of blocks, which hold up the chain, before proofs of waiting transactions. */
  readonly #urgent: Task[] = [];
  readonly #queue = new ProofQueue<Task>();
  readonly #keysReady: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #delay: BatchDelay;
  #nextId = 1;
  #failures = 0;
  #lostFor: SvcError | null = null;
  #stopped = false;

  constructor(parts: VerifyPoolParts) {
    this.#parts = parts;
    this.#delay = new BatchDelay(parts.clock, () => this.#dispatch());
  }

  /** Starts the first thread; its key is built in the background. */
  start(): void {
    this.#grow();
  }

  /** True once a verifier has built its key. */
  get ready(): boolean {
    return [...this.#verifiers].some((verifier) => verifier.ready);
  }

  /** Resolves when a verifier has built its key for the first time. */
  get keysReady(): Promise<void> {
    return this.#keysReady.promise;
  }

  /** Number of proofs waiting or being judged. */
  get pending(): number {
    return this.#tasks.size;
  }

  /**
   * Judges a transaction's proof and signatures. Those of blocks go first and are never refused for want of room: the
   * engine bounds them. Errors: `mempool/verification-queue-full`, `node/stopping`, and the verifier's own failure when
   * it failed twice on this transaction or for good.
   */
  verify(job: ProofJob, { urgent = false, source }: ProofOrder = {}): Promise<ProofVerdict> {
    if (this.#stopped) return Promise.reject(new SvcError("node/stopping", {}));
    if (this.#lostFor !== null) return Promise.reject(this.#lostFor);
    const key = keyOf(job);
    const known = this.#tasks.get(key);
    if (known !== undefined) {
      if (urgent) this.#hasten(known);
      return known.result.promise;
    }
    const full = urgent ? null : this.#limitReached(source);
    if (full !== null) {
      return Promise.reject(new SvcError("mempool/verification-queue-full", { max: full }));
    }
    const result = Promise.withResolvers<ProofVerdict>();
    const task = { key, job, source, result, failures: 0 };
    this.#tasks.set(key, task);
    if (urgent) this.#urgent.push(task);
    else this.#queue.push(task, source);
    this.#dispatch();
    return result.promise;
  }

  /**
   * While on, proofs of blocks wait for more of them, up to `ENGINE_LIMITS.verifyBatchDelayMs`: a batch costs little more than one, and
   * nobody waits for any single block of a chain that is being caught up with.
   */
  setBatchDelay(on: boolean): void {
    this.#delay.isOn = on && this.#parts.batch > 1;
    this.#dispatch();
  }

  /** Ends the threads and refuses what waits. Calling it again does nothing. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#delay.isOn = false;
    for (const task of this.#tasks.values()) task.result.reject(new SvcError("node/stopping", {}));
    this.#tasks.clear();
    this.#urgent.length = 0;
    this.#queue.clear();
    await this.#parts.last?.stop();
    const verifiers = [...this.#verifiers];
    // A thread that builds its key hears nothing for seconds: it is not waited for.
    await Promise.all(
      verifiers.map(({ thread, ready }) => thread.close(ready ? PLATFORM_LIMITS.stopMs : 0)),
    );
  }

  /** The limit that keeps a source from having one more proof judged; null when there is room. */
  #limitReached(source: WorkSource | undefined): number | null {
    const { verifyJobs, verifySourceJobs } = ENGINE_LIMITS;
    if (this.#queue.size >= verifyJobs) return verifyJobs;
    const own = source === undefined ? 0 : this.#queue.sizeOf(source);
    return own >= verifySourceJobs ? verifySourceJobs : null;
  }

  /** A waiting transaction turned up in a block. */
  #hasten(task: Task): void {
    if (this.#queue.delete(task, task.source)) this.#urgent.push(task);
  }

  #grow(): void {
    const { spawn, clock, log } = this.#parts;
    const verifier: Verifier = {
      thread: new SupervisedThread({
        spawn,
        stop: { stop: true },
        onReport: (report) => this.#hear(verifier, report),
        onLost: (error) => this.#lost(verifier, error),
      }),
      startedMs: clock.steadyMs(),
      ready: false,
      tasks: [],
    };
    this.#verifiers.add(verifier);
    log.info({ verifiers: this.#verifiers.size }, "building the verifying key");
    verifier.thread.start();
  }

  #hear(verifier: Verifier, report: Exclude<VerifyReport, FailedReport>): void {
    if (report.kind === "ready") {
      verifier.ready = true;
      this.#keysReady.resolve();
      const tookMs = Number(this.#parts.clock.steadyMs() - verifier.startedMs);
      this.#parts.log.info({ tookMs }, "the verifying key is ready");
    } else {
      const { tasks } = verifier;
      verifier.tasks = [];
      this.#failures = 0;
      tasks.forEach((task, index) => this.#settle(task, report.errors[index]));
    }
    this.#dispatch();
  }

  #settle(task: Task, error: ErrorJson | null | undefined): void {
    this.#tasks.delete(task.key);
    const missing = new SvcError("internal/unexpected", { message: "a verdict is missing" });
    if (error === undefined) {
      task.result.reject(missing);
      return;
    }
    this.#queue.judged(task.source, error === null);
    task.result.resolve(error === null ? null : SvcError.fromJson(error));
  }

  #dispatch(): void {
    if (this.#stopped) return;
    const held = this.#delay.holds(this.#urgent.length) ? this.#urgent.length : 0;
    const idle = [...this.#verifiers].filter(({ ready, tasks }) => ready && tasks.length === 0);
    idle.forEach((verifier, index) => {
      const isUrgent = this.#urgent.length > held;
      const left = idle.length - index;
      const tasks = isUrgent ? this.#takeUrgent(left) : this.#takeWaiting(left);
      if (isUrgent) this.#delay.left(this.#urgent.length);
      if (tasks.length === 0) return;
      verifier.tasks = tasks;
      verifier.thread.post({ id: this.#nextId, jobs: tasks.map(({ job }) => job) });
      this.#nextId += 1;
    });
    const warming = [...this.#verifiers].some((verifier) => !verifier.ready);
    const waiting = this.#urgent.length - held + this.#queue.size;
    const crowded = waiting >= this.#verifiers.size * ENGINE_LIMITS.verifyGrowQueue;
    if (crowded && !warming && this.#verifiers.size < this.#parts.threads) this.#grow();
  }

  /** The share of one of `idle` verifiers in the proofs of blocks. */
  #takeUrgent(idle: number): readonly Task[] {
    const fits = withinBytes();
    const share = Math.min(this.#parts.batch, Math.ceil(this.#urgent.length / idle));
    let count = 0;
    for (const task of this.#urgent.slice(0, share)) {
      // What stopped a verifier once is tried by itself, so that it takes nobody with it.
      const apart = task.failures > 0;
      if (!fits(task) && count > 0) break;
      if (apart && count > 0) break;
      count += 1;
      if (apart) break;
    }
    return this.#urgent.splice(0, count);
  }

  /** The same in the proofs of waiting transactions. */
  #takeWaiting(idle: number): readonly Task[] {
    return this.#queue.take({ batch: this.#parts.batch, idle, fits: withinBytes() });
  }

  #lost(verifier: Verifier, error: SvcError): void {
    this.#verifiers.delete(verifier);
    if (this.#stopped) return;
    this.#parts.log.error({ err: error }, "a verifier failed");
    for (const task of verifier.tasks.toReversed()) this.#retry(task, error);
    this.#failures += 1;
    if (this.#verifiers.size > 0) this.#dispatch();
    else if (this.#failures <= PLATFORM_LIMITS.workerRestarts) this.#grow();
    else this.#giveUp(error);
  }

  /** A transaction that stops a verifier twice is not tried a third time, but by the last one. */
  #retry(task: Task, error: SvcError): void {
    task.failures += 1;
    if (task.failures < 2) {
      this.#urgent.unshift(task);
      return;
    }
    const { last } = this.#parts;
    if (last === null) {
      this.#tasks.delete(task.key);
      task.result.reject(error);
      return;
    }
    const judged = last.verify(task.job).finally(() => this.#tasks.delete(task.key));
    judged.then(task.result.resolve, task.result.reject);
  }

  #giveUp(error: SvcError): void {
    this.#lostFor = error;
    for (const task of this.#tasks.values()) task.result.reject(error);
    this.#tasks.clear();
    this.#urgent.length = 0;
    this.#queue.clear();
    this.#parts.onFatal(error);
  }
}

/** The bytes are what is judged; the id does not cover all of them. */
function keyOf({ txid, format, raw }: ProofJob): string {
  return `${txid}:${format}:${hash("sha256", raw, "base64")}`;
}

/** Whether one more task fits a batch's bytes, asked about one after the other. */
function withinBytes(): (task: Task) => boolean {
  let bytes = 0;
  return ({ job }) => {
    bytes += job.raw.length;
    return bytes <= ENGINE_LIMITS.verifyBatchBytes;
  };
}
