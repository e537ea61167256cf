/**
 * The main thread's handle of the consensus engine: request/response calls, bounded and cancellable, and a stream of durable
 * events.
 *
 * The engine runs in a thread of its own. When store or core fail there, the thread ends, every waiting call
 * is answered `engine/restarted`, and a new thread reopens the store; what was acknowledged is in it. `replace` does the
 * same on purpose, with another store put in place between. A store that is damaged or without room is not reopened: it
 * would be so again. One that lacks something or cannot be read is reopened a few times (`StoreFaults`).
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { PendingCalls } from "../../platform/thread/pendingCalls.ts";
import { SupervisedThread, type FailedReport } from "../../platform/thread/supervisedThread.ts";
import type { Thread } from "../../platform/thread/thread.ts";
import { isOutOfRoom } from "../../storage/diskSpace.ts";
import type { EngineEvent, InsertOutcome, TxCheck } from "../calls/engineFacts.ts";
import {
  isAnswerToStep,
  type ImportAnswer,
  type ImportArgs,
  type ImportStep,
} from "../calls/importCalls.ts";
import type {
  EngineAnswer,
  EngineCall,
  EngineReport,
  EngineRequest,
} from "../calls/engineMessages.ts";
import type { BuiltTemplate, TemplateCall, Verdict } from "../calls/engineMessages.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import { StoreFaults } from "../calls/storeFaults.ts";
import {
  isAnswerTo,
  type Question,
  type QuestionAnswer,
  type QuestionArgs,
} from "../calls/engineQuestions.ts";

/**
 * An event of the engine, or the news that the engine was restarted and events may have been missed: ask for the tip again. The
 * chain may be another one, of which nothing that was heard before holds.
 */
export type NodeEvent = EngineEvent | { readonly type: "engineRestarted" };

/** Dependencies of the host. */
export type EngineHostParts = {
  /** Starts the engine's thread. */
  readonly spawn: () => Thread<EngineRequest, EngineReport>;
  /** Judges a proof. Rejects when no judgement is possible now; the engine asks again after a pause. */
  readonly judge: (job: ProofJob) => Promise<boolean>;
  /** Told whether proofs may wait for each other: nobody waits for a block of a chain that is loaded in bulk. */
  readonly setBatchDelay: (on: boolean) => void;
  readonly log: Log;
  /** Called when the engine cannot be kept running. */
  readonly onFatal: (error: SvcError) => void;
  /** The count of its store's faults, where others read the store too. */
  readonly storeFaults?: StoreFaults;
};

type Listener = (event: NodeEvent) => void;

/** The handle of the engine, the one writer of consensus state. */
export class EngineHost {
  readonly #parts: EngineHostParts;
  readonly #listeners = new Set<Listener>();
  readonly #calls = new PendingCalls<EngineAnswer>("engine", ENGINE_LIMITS.engineQuestions);
  readonly #thread: SupervisedThread<EngineRequest, Exclude<EngineReport, FailedReport>>;
  #opening: PromiseWithResolvers<void> = Promise.withResolvers();
  #opened = false;
  #replacing: Promise<void> | null = null;
  #restarts = 0;
  /** Restarts for errors of class `blocks` since a block was taken: an answered question between them shows nothing. */
  #blocked = 0;
  readonly #storeFaults: StoreFaults;
  #isGrouping = false;
  /** What makes the store one that is not opened again. */
  #damage: SvcError | null = null;
  #stopped = false;

  constructor(parts: EngineHostParts) {
    this.#parts = parts;
    const { storeFaults, onFatal } = parts;
    this.#storeFaults = storeFaults ?? new StoreFaults({ folder: null, onFatal });
    this.#thread = new SupervisedThread({
      spawn: parts.spawn,
      // Nobody waits for its answer, so it has a place however many calls are open.
      stop: { id: NO_CALL, call: { kind: "stop" } },
      onReport: (report) => this.#hear(report),
      onLost: (error) => this.#lost(error),
      onUncleanEnd: (err) => parts.log.warn({ err }, "the engine did not stop cleanly"),
      hearsToTheEnd: true,
    });
  }

  /** Starts the thread; resolves when the store is open. Rejects with the store's or profile's error. */
  start(): Promise<void> {
    this.#spawn();
    return this.#opening.promise;
  }

  /** Flushes, closes the store, ends the thread, after `waitMs` at the latest. Calling it again does nothing. */
  async stop(waitMs: number = PLATFORM_LIMITS.stopMs): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#close(waitMs);
    await this.#replacing?.catch(() => undefined);
    this.#calls.rejectAll(new SvcError("node/stopping", {}));
    this.#listeners.clear();
  }

  /**
   * Closes the store, lets the caller put another in its place, and opens what is there then. Calls meanwhile, and those
   * that waited, reject with `engine/restarted`; listeners hear of it. When `move` rejects, what is in place is opened all
   * the same. Rejects with the error of `move`, the one of opening, `engine/restarted` while the engine is not running or
   * is being replaced, and `node/stopping`.
   */
  async replace(move: () => Promise<void>): Promise<void> {
    if (this.#stopped) throw new SvcError("node/stopping", {});
    if (!this.#thread.isRunning) throw new SvcError("engine/restarted", {});
    this.#replacing = this.#replace(move);
    try {
      await this.#replacing;
    } finally {
      this.#replacing = null;
    }
  }

  async #replace(move: () => Promise<void>): Promise<void> {
    await this.#close(PLATFORM_LIMITS.stopMs);
    this.#calls.rejectAll(new SvcError("engine/restarted", {}));
    if (this.#stopped) throw new SvcError("node/stopping", {});
    try {
      await move();
      this.#storeFaults.forget();
    } finally {
      if (!this.#stopped) {
        this.#spawn();
        this.#publish({ type: "engineRestarted" });
      }
    }
    if (this.#stopped) throw new SvcError("node/stopping", {});
    await this.#opening.promise;
  }

  async #close(waitMs: number): Promise<void> {
    if (!this.#thread.isRunning) return;
    await this.#thread.close(waitMs);
    this.#opening.reject(new SvcError("node/stopping", {}));
  }

  /** Hears every durable fact in order; the returned call ends it. */
  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks a question. Errors: the core's, `queue/full`, `engine/restarted`, `node/stopping`, `run/aborted`. */
  async ask<Q extends Question>(
    question: Q,
    args: QuestionArgs<Q>,
    signal?: AbortSignal,
  ): Promise<QuestionAnswer<Q>> {
    const answer = await this.#send({ kind: "ask", question, args }, signal);
    if (answer.kind === "ask" && isAnswerTo(question, answer.value)) return answer.value;
    throw unexpected(question);
  }

  /**
   * Hands in a block; `nowMs` is the host's clock. Answered when its commit is durable and virtual has come
   * as far as verdicts allow; a `first` one goes before others that wait. Errors as for `ask`, and the codec's for
   * malformed bytes.
   */
  async insertBlock(
    raw: Uint8Array,
    nowMs: bigint,
    { first = false, signal }: BlockInsertion = {},
  ): Promise<InsertOutcome> {
    const answer = await this.#send({ kind: "block", raw, nowMs, first }, signal);
    if (answer.kind !== "block") throw unexpected("insertBlock");
    return answer.value;
  }

  /**
   * Hands in headers ahead of their bodies, parents first; `raw` is RawHeaders (docs/formats.md 1). Answered with one
   * outcome per header when they are durable; behind one whose refusal took proof of work or more (but
   * `header/pruning-violation`) headers that are not known are refused unjudged, with its code. Errors as for `ask`,
   * the codec's for malformed bytes or too many, and `header/too-many-parents`.
   */
  async insertHeaders(
    raw: Uint8Array,
    nowMs: bigint,
    signal?: AbortSignal,
  ): Promise<readonly InsertOutcome[]> {
    const answer = await this.#send({ kind: "headers", raw, nowMs }, signal);
    if (answer.kind !== "headers") throw unexpected("insertHeaders");
    return answer.value;
  }

  /**
   * Makes a call of an import or of history, when no block waits. A cancelled call is made all the same. Errors as for
   * `ask`, and `import/…`, `history/…`, `proof/…`.
   */
  async importStep<S extends ImportStep>(
    step: S,
    args: ImportArgs<S>,
    { signal, moved }: StepOptions = {},
  ): Promise<ImportAnswer<S>> {
    const answer = await this.#send({ kind: "import", step, args }, signal, moved);
    if (answer.kind === "import" && isAnswerToStep(step, answer.value)) return answer.value;
    throw unexpected(step);
  }

  /** Judges a transaction against virtual, its proof aside. Errors as for `ask`, and `tx/…`. */
  async checkTransaction(raw: Uint8Array, signal?: AbortSignal): Promise<TxCheck> {
    const answer = await this.#send({ kind: "check", raw }, signal);
    if (answer.kind !== "check") throw unexpected("checkTransaction");
    return answer.value;
  }

  /** Builds a block on virtual. Errors as for `ask`, and `template/…`. */
  async buildTemplate(
    request: Omit<TemplateCall, "kind">,
    signal?: AbortSignal,
  ): Promise<BuiltTemplate> {
    const answer = await this.#send({ kind: "template", ...request }, signal);
    if (answer.kind !== "template") throw unexpected("buildTemplate");
    return answer.value;
  }

  /**
   * Bulk loading: while on, blocks share commits (`ENGINE_LIMITS.groupCommitBlocks`, `ENGINE_LIMITS.groupCommitMs`), also those
   * of a thread that is started anew.
   */
  setGroupCommit(on: boolean): void {
    this.#isGrouping = on;
    this.#parts.setBatchDelay(on);
    // As with `stop`: it must not be lost for want of a place.
    this.#thread.post({ id: NO_CALL, call: { kind: "group", on } });
  }

  /** Passes on a judgement that was made on admission to the pool. */
  noteVerdict(verdict: Verdict): void {
    this.#thread.post({ verdict });
  }

  async #send(
    call: EngineCall,
    signal?: AbortSignal,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<EngineAnswer> {
    if (this.#stopped) throw new SvcError("node/stopping", {});
    if (signal !== undefined) throwIfAborted(signal);
    if (!this.#thread.isRunning) throw this.#damage ?? new SvcError("engine/restarted", {});
    const answer = this.#calls.open((id) => this.#thread.post({ id, call }, moved));
    return signal === undefined ? answer : abortable(answer, signal);
  }

  #spawn(): void {
    const opening: PromiseWithResolvers<void> = Promise.withResolvers();
    // Not everybody who starts a thread waits for it.
    opening.promise.catch(() => undefined);
    this.#opening = opening;
    this.#thread.start();
    if (this.#isGrouping) this.#thread.post({ id: NO_CALL, call: { kind: "group", on: true } });
  }

  #hear(report: Exclude<EngineReport, FailedReport>): void {
    switch (report.kind) {
      case "opened":
        if (report.migrated.length > 0) {
          this.#parts.log.info({ steps: report.migrated }, "the store was brought to a new layout");
        }
        this.#opened = true;
        this.#opening.resolve();
        break;
      case "answer":
        this.#restarts = 0;
        if (report.answer.kind === "block" || report.answer.kind === "headers") this.#blocked = 0;
        this.#calls.resolve(report.id, report.answer);
        break;
      case "refused":
        this.#calls.reject(report.id, SvcError.fromJson(report.error));
        break;
      case "events":
        for (const event of report.events) this.#publish(event);
        break;
      case "unpruned": {
        const err = SvcError.fromJson(report.error);
        this.#parts.log.error({ err }, "nothing is pruned until the pruning point moves on");
        break;
      }
      case "jobs":
        for (const job of report.jobs) void this.#judge(job);
        break;
    }
  }

  #publish(event: NodeEvent): void {
    if (event.type === "finalityViolation") {
      const { tip, blueScore } = event;
      this.#parts.log.warn(
        { code: "virtual/finality-violation", tip, blueScore },
        "a chain with more work lacks our finality point and is not followed",
      );
    }
    if (event.type === "levelConflict") {
      const { block, level, other, child } = event;
      this.#parts.log.warn(
        { code: "header/level-conflict", block, level, other, child },
        "a merge-mined block has two witnesses: nodes with the other one expect other parents of its children",
      );
    }
    if (event.type === "pruned") {
      const { point, historyFromDaaScore } = event;
      this.#parts.log.info(
        { point, historyFromDaaScore },
        "everything below a pruning point is gone",
      );
    }
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#parts.log.error({ err: error }, "a listener of engine events failed");
      }
    }
  }

  async #judge(job: ProofJob): Promise<void> {
    const { txid, format } = job;
    try {
      this.noteVerdict({ txid, format, valid: await this.#parts.judge(job) });
    } catch (error) {
      if (this.#stopped || SvcError.is(error, "node/stopping")) return;
      this.#parts.log.error({ err: error, txid }, "a proof in a block could not be judged");
      this.#thread.post({ unjudged: { txid, format } });
    }
  }

  /** The thread is gone. Before the store was ever open this is a start that failed; later it is replaced. */
  #lost(error: SvcError): void {
    this.#opening.reject(this.#storeFaults.named(error));
    // Opened again the store would be the same: whoever waits hears what is wrong.
    const end = this.#storeFaults.note(error);
    this.#calls.rejectAll(end ?? new SvcError("engine/restarted", {}));
    if (this.#stopped) return;
    if (this.#opened) this.#count(error, end);
    const isTooOften =
      this.#restarts > PLATFORM_LIMITS.workerRestarts ||
      this.#blocked > ENGINE_LIMITS.memoryRestarts;
    if (this.#damage !== null || isOutOfRoom(error) || isTooOften) {
      this.#parts.onFatal(end ?? error);
      return;
    }
    if (!this.#opened) return;
    this.#parts.log.error({ err: error, restarts: this.#restarts }, "the engine is reopened");
    this.#spawn();
    this.#publish({ type: "engineRestarted" });
  }

  #count(error: SvcError, end: SvcError | null): void {
    this.#restarts += 1;
    if (isOfClass(error, "blocks")) this.#blocked += 1;
    this.#damage = end;
  }
}

/** The number of no open call. */
const NO_CALL = 0;

/** Options of an import call: who may cancel it, and which buffers of its arguments are transferred. */
export type StepOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly moved?: readonly ArrayBuffer[];
};

/** Options of a block insertion. */
export type BlockInsertion = {
  readonly first?: boolean;
  readonly signal?: AbortSignal | undefined;
};

function unexpected(call: string): SvcError {
  return new SvcError("internal/unexpected", { message: `${call} was answered in another form` });
}
