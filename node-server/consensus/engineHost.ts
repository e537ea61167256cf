/**
 * The engine as the rest of the node sees it: calls with answers, bounded, cancellable, and a stream of
 * durable facts.
 *
 * The engine runs in a thread of its own. When store or core fail there, the thread ends, every waiting call
 * is answered `engine/restarted`, and a new thread reopens the store; what was acknowledged is in it. `replace` does the
 * same on purpose, with another store put in place between. A store that is damaged or without room is not reopened: it
 * would be so again. One that lacks something or cannot be read is reopened a few times (`StoreFaults`).
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../platform/log.ts";
import type { Thread } from "../platform/thread.ts";
import { isOutOfRoom } from "../storage/diskRoom.ts";
import type { EngineEvent, InsertOutcome, TxCheck } from "./engineFacts.ts";
import {
  isAnswerToStep,
  type ImportAnswer,
  type ImportArgs,
  type ImportStep,
} from "./importCalls.ts";
import { isAnswerTo } from "./engineMessages.ts";
import type { EngineAnswer, EngineCall, EngineReport, EngineRequest } from "./engineMessages.ts";
import type { BuiltTemplate, TemplateCall, Verdict } from "./engineMessages.ts";
import type { ProofJob, Question, QuestionAnswer, QuestionArgs } from "./engineMessages.ts";
import { PendingCalls } from "./pendingCalls.ts";
import { StoreFaults } from "./storeFaults.ts";

/**
 * A fact of the engine, or the news that facts may have been missed: ask for the tip again. The chain may be another one,
 * of which nothing that was heard before holds.
 */
export type NodeEvent = EngineEvent | { readonly type: "engineRestarted" };

/** What the host is made of. */
export type EngineHostParts = {
  /** Starts the engine's thread. */
  readonly spawn: () => Thread<EngineRequest, EngineReport>;
  /** Judges a proof. Rejects when no judgement is possible now; the engine asks again after a pause. */
  readonly judge: (job: ProofJob) => Promise<boolean>;
  /** Told whether proofs may wait for each other: nobody waits for a block of a chain that is loaded in bulk. */
  readonly setGathering: (on: boolean) => void;
  readonly log: Log;
  /** Called when the engine cannot be kept running. */
  readonly onFatal: (error: SvcError) => void;
  /** The count of its store's faults, where others read the store too. */
  readonly storeFaults?: StoreFaults;
};

type Listener = (event: NodeEvent) => void;

/** The one writer of consensus state, at arm's length. */
export class EngineHost {
  readonly #parts: EngineHostParts;
  readonly #listeners = new Set<Listener>();
  readonly #calls = new PendingCalls<EngineAnswer>("engine", LIMITS.engineQuestions);
  #thread: Thread<EngineRequest, EngineReport> | null = null;
  #opening: PromiseWithResolvers<void> = Promise.withResolvers();
  #opened = false;
  #replacing: Promise<void> | null = null;
  #restarts = 0;
  /** Those by `BLOCKED`: a question that is answered between two of them shows nothing. */
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
  }

  /** Starts the thread; resolves when the store is open. Rejects with the store's or profile's error. */
  start(): Promise<void> {
    this.#spawn();
    return this.#opening.promise;
  }

  /** Flushes, closes the store, ends the thread, after `waitMs` at the latest. Calling it again does nothing. */
  async stop(waitMs: number = LIMITS.stopMs): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#thread !== null) await this.#close(this.#thread, waitMs);
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
    const thread = this.#thread;
    if (thread === null) throw new SvcError("engine/restarted", {});
    this.#replacing = this.#replace(thread, move);
    try {
      await this.#replacing;
    } finally {
      this.#replacing = null;
    }
  }

  async #replace(
    thread: Thread<EngineRequest, EngineReport>,
    move: () => Promise<void>,
  ): Promise<void> {
    await this.#close(thread, LIMITS.stopMs);
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

  /** Its end is expected from here on: a thread that ends by itself is replaced, this one is not. */
  async #close(thread: Thread<EngineRequest, EngineReport>, waitMs: number): Promise<void> {
    this.#thread = null;
    // Nobody waits for its answer, so it has a place however many calls are open.
    thread.post({ id: NO_CALL, call: { kind: "stop" } });
    await thread.end(waitMs);
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
   * Hands in headers ahead of their bodies, parents first; `raw` is RawHeaders (docs/interfaces.md 1). Answered with one
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
  async checkTransaction(raw: Uint8Array, nowMs: bigint, signal?: AbortSignal): Promise<TxCheck> {
    const answer = await this.#send({ kind: "check", raw, nowMs }, signal);
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
   * Bulk loading: while on, blocks share commits (`LIMITS.groupCommitBlocks`, `LIMITS.groupCommitMs`), also those of a
   * thread that is started anew.
   */
  setGroupCommit(on: boolean): void {
    this.#isGrouping = on;
    this.#parts.setGathering(on);
    // As with `stop`: it must not be lost for want of a place.
    this.#thread?.post({ id: NO_CALL, call: { kind: "group", on } });
  }

  /** Passes on a judgement that was made on admission to the pool. */
  noteVerdict(verdict: Verdict): void {
    this.#thread?.post({ verdict });
  }

  async #send(
    call: EngineCall,
    signal?: AbortSignal,
    moved: readonly ArrayBuffer[] = [],
  ): Promise<EngineAnswer> {
    if (this.#stopped) throw new SvcError("node/stopping", {});
    if (signal !== undefined) throwIfAborted(signal);
    const thread = this.#thread;
    if (thread === null) throw this.#damage ?? new SvcError("engine/restarted", {});
    const answer = this.#calls.open((id) => thread.post({ id, call }, moved));
    return signal === undefined ? answer : abortable(answer, signal);
  }

  #spawn(): void {
    const opening: PromiseWithResolvers<void> = Promise.withResolvers();
    // Not everybody who starts a thread waits for it.
    opening.promise.catch(() => undefined);
    this.#opening = opening;
    const thread = this.#parts.spawn();
    this.#thread = thread;
    if (this.#isGrouping) thread.post({ id: NO_CALL, call: { kind: "group", on: true } });
    let failure: SvcError | null = null;
    thread.onMessage((report) => {
      if (report.kind === "failed") failure = SvcError.fromJson(report.error);
      else this.#hear(report);
      if (report.kind === "opened") opening.resolve();
    });
    thread.onExit((error) => {
      if (this.#thread === thread) this.#lost(failure ?? error);
      else if (failure !== null) {
        this.#parts.log.warn({ err: failure }, "the engine did not stop cleanly");
      }
    });
  }

  #hear(report: Exclude<EngineReport, { kind: "failed" }>): void {
    switch (report.kind) {
      case "opened":
        if (report.migrated.length > 0) {
          this.#parts.log.info({ steps: report.migrated }, "the store was brought to a new layout");
        }
        this.#opened = true;
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
      this.#thread?.post({ unjudged: { txid, format } });
    }
  }

  /** The thread is gone. Before the store was ever open this is a start that failed; later it is replaced. */
  #lost(error: SvcError): void {
    this.#thread = null;
    this.#opening.reject(this.#storeFaults.named(error));
    // Opened again the store would be the same: whoever waits hears what is wrong.
    const end = this.#storeFaults.note(error);
    this.#calls.rejectAll(end ?? new SvcError("engine/restarted", {}));
    if (this.#stopped) return;
    if (this.#opened) this.#count(error, end);
    const isTooOften =
      this.#restarts > LIMITS.workerRestarts || this.#blocked > LIMITS.memoryRestarts;
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
    if (BLOCKED.has(error.code)) this.#blocked += 1;
    this.#damage = end;
  }
}

/** What keeps blocks from being taken while questions are answered. */
const BLOCKED: ReadonlySet<SvcError["code"]> = new Set([
  "engine/out-of-memory",
  "store/commit-failed",
  "store/read-failed",
]);

/** The number of no open call. */
const NO_CALL = 0;

/** How a call of an import is made: who may give it up, and what buffers of its arguments leave the caller. */
export type StepOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly moved?: readonly ArrayBuffer[];
};

/** How a block goes in. */
export type BlockInsertion = {
  readonly first?: boolean;
  readonly signal?: AbortSignal | undefined;
};

function unexpected(call: string): SvcError {
  return new SvcError("internal/unexpected", { message: `${call} was answered in another form` });
}
