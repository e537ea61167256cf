/** A worker (shard) of the proof pool as the pool sees it: in the pool's own thread, or behind a message port in another one. */
import { CORE_LIMITS } from "./coreLimits.ts";
import { SvcError } from "../base/svcError.ts";
import { callCore } from "./callCore.ts";
import type { RawProvingShard } from "./generated/proverGlue.ts";
import type { ShardParts, ShardReport, ShardRequest } from "./shardMessages.ts";

/** A worker that serves tasks, one after the other. */
export interface ProofShard {
  /** How many tasks it should have at a time, so that it need not wait for the pool between two. */
  readonly ahead: number;
  /** Rejects with the task's error, or with the reason of the shard's end. */
  run(task: Uint8Array): Promise<Uint8Array>;
  /** Overwrites what is there of a proof that is given up, after the task at hand. */
  forget(): void;
  /** Resolves with the reason when the shard has ended. */
  readonly ended: Promise<SvcError>;
  /** Ends the shard at once, whatever it does. Calling it again does nothing. */
  end(): void;
}

/** The message port of a thread that holds a shard. */
export interface ShardPort {
  post(request: ShardRequest): void;
  onReport(listener: (report: ShardReport) => void): void;
  /** Called when the thread has ended by itself. */
  onEnd(listener: (reason: SvcError) => void): void;
  /** Ends the thread. */
  end(): void;
}

/**
 * Makes a shard in this thread. `turn` lets other events of the thread happen between two tasks, so that a proof can be
 * cancelled.
 */
export function localShard(shard: RawProvingShard, turn: () => Promise<void>): ProofShard {
  const ended = Promise.withResolvers<SvcError>();
  let open = true;
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: what a proof that is given up left waiting comes before the next one's. */
  const inOrder = <T>(serve: () => T): Promise<T> => {
    const served = last.then(async () => {
      // Remote shards get their tasks before this thread is busy.
      await turn();
      if (!open) throw stopped();
      return callCore(serve);
    });
    last = served.catch(() => undefined);
    return served;
  };
  return {
    ahead: 1,
    // The first task holds the seed and the private inputs.
    run: (task) => inOrder(() => shard.run(task)).finally(() => task.fill(0)),
    forget() {
      inOrder(() => shard.forget()).catch(() => {
        // An instance that has trapped is of no use any more and goes with its thread.
      });
    },
    ended: ended.promise,
    end() {
      if (open) shard.free();
      open = false;
      ended.resolve(stopped());
    },
  };
}

/** Makes a shard behind a port; resolves when it is ready. Rejects with the reason when it cannot be made. */
export async function remoteShard(port: ShardPort, parts: ShardParts): Promise<ProofShard> {
  const shard = new RemoteShard(port);
  port.post({ kind: "open", parts });
  await shard.opened;
  return shard;
}

class RemoteShard implements ProofShard {
  readonly ahead = CORE_LIMITS.proofTasksAhead;
  readonly #port: ShardPort;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<SvcError>();
  #reason: SvcError | null = null;
  #nextId = 1;

  constructor(port: ShardPort) {
    this.#port = port;
    port.onReport((report) => this.#hear(report));
    port.onEnd((reason) => this.#lose(reason));
  }

  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  get ended(): Promise<SvcError> {
    return this.#ended.promise;
  }

  run(task: Uint8Array): Promise<Uint8Array> {
    if (this.#reason !== null) return Promise.reject(this.#reason);
    const answer = Promise.withResolvers<Uint8Array>();
    const id = this.#nextId;
    this.#nextId += 1;
    this.#waiting.set(id, answer);
    this.#port.post({ kind: "run", id, task });
    return answer.promise;
  }

  forget(): void {
    if (this.#reason === null) this.#port.post({ kind: "forget" });
  }

  end(): void {
    this.#lose(stopped());
  }

  #hear(report: ShardReport): void {
    switch (report.kind) {
      case "opened":
        this.#opened.resolve();
        return;
      case "failed":
        this.#lose(SvcError.fromJson(report.error));
        return;
      case "result":
        this.#take(report.id)?.resolve(report.result);
        return;
      case "refused":
        this.#take(report.id)?.reject(SvcError.fromJson(report.error));
    }
  }

  #take(id: number): PromiseWithResolvers<Uint8Array> | undefined {
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    return answer;
  }

  #lose(reason: SvcError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    for (const answer of this.#waiting.values()) answer.reject(reason);
    this.#waiting.clear();
    this.#opened.reject(reason);
    this.#ended.resolve(reason);
    this.#port.end();
  }
}

function stopped(): SvcError {
  return new SvcError("prove/failed", { reason: "the prover was stopped" });
}
