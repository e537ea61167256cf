/**
 * The scheduler of the engine's thread: queues, priorities, group commit, resolving in small steps.
 *
 * Order of work in each turn: up to `ENGINE_LIMITS.engineQuestionBurst` questions, then one step of resolving, or,
 * when virtual is at the best tip or waits for verdicts, the next block or headers, or when none wait one call of an
 * import or of history. A block is answered when its commit is durable and virtual has come as far as it can. When
 * nobody waits for anything, one step of pruning; under load one every `ENGINE_LIMITS.pruneEveryBlocks` blocks. Events leave in
 * the order of their commits. While the state that the store begins with has not come, nothing is resolved or pruned.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { callCore, coreError, isFatal } from "@svc/shared/core/callCore.ts";
import type { RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import type { ResolveOutcome, VerdictJob } from "../calls/engineFacts.ts";
import {
  readInsertOutcome,
  readInsertOutcomes,
  readPruneOutcome,
  readResolveOutcome,
  readTemplateRejections,
  readTxCheck,
} from "../calls/engineFacts.ts";
import type {
  BuiltTemplate,
  EngineAnswer,
  EngineCall,
  EngineReport,
} from "../calls/engineMessages.ts";
import type { EngineRequest, ProofJob, TemplateCall, Verdict } from "../calls/engineMessages.ts";
import { readImportedBody, takeImportStep } from "../calls/importCalls.ts";
import { takeQuestion } from "../calls/engineQuestions.ts";
import { HeldTransactions } from "./heldTransactions.ts";

/** Dependencies of a session. */
export type SessionParts = {
  readonly engine: RawEngine;
  /** Takes a step below the pruning point, worth deleting about so many blocks; null where everything is kept. */
  readonly prune: ((budget: number) => string) | null;
  readonly report: (report: EngineReport) => void;
  /** Sends what was reported so far: what comes next takes its time. */
  readonly flush: () => void;
  /** Runs the next turn after messages that already arrived. */
  readonly defer: (turn: () => void) => void;
  /** Runs a call once after a time in milliseconds. */
  readonly later: (call: () => void, ms: number) => void;
  /** Called once, after the last report: the store may be closed. */
  readonly ended: () => void;
};

type WaitingBlock = Numbered<"block" | "headers">;

/** What resolving comes to while there is no state to resolve on. */
const AT_REST: ResolveOutcome = { done: true, needVerdicts: [], events: [] };

type Numbered<Kind extends EngineCall["kind"]> = {
  readonly id: number;
  readonly call: Extract<EngineCall, { kind: Kind }>;
};

/** One engine instance and the queues of everything that waits for it. */
export class EngineSession {
  readonly #engine: RawEngine;
  readonly #parts: SessionParts;
  readonly #held: HeldTransactions;
  readonly #questions: { readonly id: number; readonly call: EngineCall }[] = [];
  /** Blocks and headers in the order of their arrival: a header may come right before its block. */
  readonly #blocks: WaitingBlock[] = [];
  /** Calls of an import or of history: nobody else waits for them. */
  readonly #steps: Numbered<"import">[] = [];
  readonly #verdicts: Verdict[] = [];
  /** Inserted blocks whose answer waits for durability and for virtual. */
  readonly #unanswered: { readonly id: number; readonly answer: EngineAnswer }[] = [];
  /** Proofs asked for and not judged yet, by transaction and form; at most `ENGINE_LIMITS.blockProofs`. */
  readonly #asked = new Set<string>();
  /** Those of `#asked` that could not be judged: asked for again when the pause is over. */
  readonly #unjudged = new Set<string>();
  #resolving = true;
  #group = false;
  /** Whether blocks share commits only until virtual is where verdicts let it be. */
  #isLeavingGroup = false;
  #uncommitted = 0;
  #groupTimer = 0;
  /** The state that the store begins with has not come yet. */
  #importing = false;
  /** Blocks taken in since the last step of pruning. */
  #unpruned = 0;
  /** Virtual may have left a pruning point behind, or the process ended in the middle of a sweep. */
  #pruning: boolean;
  #scheduled = false;
  #ended = false;

  constructor(parts: SessionParts) {
    this.#engine = parts.engine;
    this.#parts = parts;
    this.#held = new HeldTransactions(parts.engine);
    this.#pruning = parts.prune !== null;
    // A store may hold blocks that were taken in and not resolved before the process ended.
    this.#schedule();
  }

  /** Takes a message of the main thread. */
  receive(request: EngineRequest): void {
    if (this.#ended) return;
    if ("unjudged" in request) {
      this.#pause(proofKey(request.unjudged));
      return;
    }
    if ("verdict" in request) this.#verdicts.push(request.verdict);
    else if (request.call.kind === "block" || request.call.kind === "headers")
      this.#queue({ id: request.id, call: request.call });
    else if (request.call.kind === "import")
      this.#steps.push({ id: request.id, call: request.call });
    else this.#questions.push(request);
    this.#schedule();
  }

  /** First ones keep their order among each other. */
  #queue(waiting: WaitingBlock): void {
    const isFirst = ({ call }: WaitingBlock): boolean =>
      call.kind === "block" && call.first === true;
    const behind = isFirst(waiting) ? this.#blocks.findIndex((other) => !isFirst(other)) : -1;
    if (behind === -1) this.#blocks.push(waiting);
    else this.#blocks.splice(behind, 0, waiting);
  }

  #schedule(): void {
    if (this.#scheduled || this.#ended) return;
    this.#scheduled = true;
    this.#parts.defer(() => {
      this.#scheduled = false;
      if (this.#ended) return;
      try {
        this.#turn();
      } catch (thrown) {
        this.#fail(coreError(thrown));
      }
    });
  }

  #fail(error: SvcError): void {
    this.#ended = true;
    this.#parts.report({ kind: "failed", error: error.toJSON() });
    this.#parts.ended();
  }

  #turn(): void {
    for (const verdict of this.#verdicts.splice(0)) this.#note(verdict);
    for (const question of this.#questions.splice(0, ENGINE_LIMITS.engineQuestionBurst)) {
      this.#answer(question.id, () => this.#question(question.call));
      if (question.call.kind === "stop") {
        this.#ended = true;
        this.#parts.ended();
        return;
      }
    }
    this.#parts.flush();
    if (this.#resolving) this.#resolve();
    else if (this.#isPruningDue()) this.#prune();
    else if (this.#blocks.length > 0) this.#insertNext();
    else if (this.#steps.length > 0) this.#takeStep();
    else if (this.#isIdle()) this.#prune();
    if (this.#waiting() > 0 || this.#resolving || this.#isIdle()) this.#schedule();
  }

  #waiting(): number {
    const { length } = this.#questions;
    return length + this.#blocks.length + this.#steps.length + this.#verdicts.length;
  }

  /** Whether there is time for pruning, and a reason: nobody waits for anything. */
  #isIdle(): boolean {
    const isAtRest = !this.#resolving && this.#unanswered.length === 0 && this.#uncommitted === 0;
    return this.#pruning && !this.#importing && isAtRest && this.#waiting() === 0;
  }

  /** A node that is never idle, as in a long sync, prunes all the same, or its store would grow without a bound. */
  #isPruningDue(): boolean {
    return this.#pruning && !this.#importing && this.#unpruned >= ENGINE_LIMITS.pruneEveryBlocks;
  }

  /** One step; messages that came meanwhile are heard before the next. */
  #prune(): void {
    const { prune } = this.#parts;
    if (prune === null) return;
    this.#unpruned = 0;
    try {
      const outcome = readPruneOutcome(callCore(() => prune(ENGINE_LIMITS.pruneStepBlocks)));
      if (outcome.events.length > 0) this.#parts.report({ kind: "events", events: outcome.events });
      this.#pruning = !outcome.done;
    } catch (thrown) {
      const error = coreError(thrown);
      if (isFatal(error)) throw error;
      // As long as it is not pruned the store is whole: a node that cannot prune goes on without. The engine says it
      // once for a pruning point and goes on with the next.
      this.#pruning = false;
      this.#parts.report({ kind: "unpruned", error: error.toJSON() });
    }
  }

  /** Answers with the result, or with the error when it is the caller's; an error of the store ends us. */
  #answer(id: number, call: () => EngineAnswer): void {
    try {
      this.#parts.report({ kind: "answer", id, answer: callCore(call) });
    } catch (thrown) {
      const error = coreError(thrown);
      if (isFatal(error)) throw error;
      this.#parts.report({ kind: "refused", id, error: error.toJSON() });
    }
  }

  #question(call: EngineCall): EngineAnswer {
    switch (call.kind) {
      case "ask":
        return { kind: "ask", value: takeQuestion(this.#engine, call.question, call.args) };
      case "template":
        return { kind: "template", value: this.#template(call) };
      case "check": {
        const [held = 0] = this.#held.numbersOf([call.raw]);
        return { kind: "check", value: readTxCheck(this.#engine.checkTransaction(held)) };
      }
      case "group":
        this.#setGroup(call.on);
        return { kind: "group" };
      case "stop":
        this.#engine.flush();
        return { kind: "stop" };
      case "block":
      case "headers":
      case "import":
        throw new SvcError("internal/unexpected", { message: `${call.kind} among the questions` });
    }
  }

  #template(call: TemplateCall): BuiltTemplate {
    const candidates = this.#held.numbersOf(call.candidates);
    const built = this.#engine.buildTemplate(
      call.payScript,
      call.extraData,
      candidates,
      call.nowMs,
    );
    try {
      return { block: built.block(), rejected: readTemplateRejections(built.rejected()) };
    } finally {
      built.free();
    }
  }

  #setGroup(on: boolean): void {
    this.#isLeavingGroup = this.#group && !on;
    if (on && !this.#group) this.#engine.setGroupCommit(true);
    this.#group ||= on;
    // What was handed in is durable. Resolving once more hands out the events of what was just committed.
    if (!on) this.#flush();
    this.#resolving = true;
  }

  /** Virtual may be thousands of blocks behind verdicts that have just come: those share commits too. */
  #leaveGroup(): void {
    this.#isLeavingGroup = false;
    this.#group = false;
    callCore(() => this.#engine.setGroupCommit(false));
    this.#uncommitted = 0;
    this.#resolving = true;
  }

  #flush(): void {
    callCore(() => this.#engine.flush());
    this.#uncommitted = 0;
    this.#groupTimer += 1;
  }

  #insertNext(): void {
    const next = this.#blocks.shift();
    if (next === undefined) return;
    const { id, call } = next;
    try {
      if (call.kind === "block") this.#insertBlock(id, call);
      else this.#insertHeaders(id, call);
    } catch (thrown) {
      const error = coreError(thrown);
      if (isFatal(error)) throw error;
      this.#parts.report({ kind: "refused", id, error: error.toJSON() });
    }
  }

  /** Blocks wait until there is a state: the core would keep an event for each. */
  #insertBlock(id: number, { raw, nowMs }: Numbered<"block">["call"]): void {
    if (this.#importing) throw new SvcError("engine/not-imported", {});
    const value = readInsertOutcome(callCore(() => this.#engine.insertBlock(raw, nowMs)));
    const answer: EngineAnswer = { kind: "block", value };
    if (value.kind !== "accepted") {
      this.#parts.report({ kind: "answer", id, answer });
      return;
    }
    this.#unanswered.push({ id, answer });
    this.#unpruned += 1;
    this.#askFor(value.needVerdicts);
    this.#resolving = true;
    if (this.#group) this.#growGroup();
  }

  /** Headers move nothing, and are durable as soon as the engine has taken them. */
  #insertHeaders(id: number, { raw, nowMs }: Numbered<"headers">["call"]): void {
    const value = readInsertOutcomes(callCore(() => this.#engine.insertHeaders(raw, nowMs)));
    this.#parts.report({ kind: "answer", id, answer: { kind: "headers", value } });
  }

  #takeStep(): void {
    const next = this.#steps.shift();
    if (next === undefined) return;
    const { id, call } = next;
    this.#answer(id, () => {
      const value = takeImportStep(this.#engine, call);
      if (call.step === "beginImport") this.#importing = true;
      if (call.step === "finishImport") this.#openState();
      if (typeof value === "string" && call.step === "importBody") {
        this.#askFor(readImportedBody(value).needVerdicts);
      }
      return { kind: "import", value };
    });
  }

  #openState(): void {
    this.#importing = false;
    this.#resolving = true;
    this.#pruning = this.#parts.prune !== null;
  }

  #growGroup(): void {
    this.#uncommitted += 1;
    if (this.#uncommitted === 1) {
      this.#groupTimer += 1;
      const timer = this.#groupTimer;
      // The timer of a group that was committed meanwhile must not cut the next one short.
      this.#parts.later(
        () => timer === this.#groupTimer && this.#flushLate(),
        ENGINE_LIMITS.groupCommitMs,
      );
    }
  }

  #flushLate(): void {
    if (this.#ended || this.#uncommitted === 0) return;
    this.#uncommitted = ENGINE_LIMITS.groupCommitBlocks;
    this.#resolving = true;
    this.#schedule();
  }

  #resolve(): void {
    const outcome = this.#resolveStep();
    if (outcome.events.length > 0) this.#parts.report({ kind: "events", events: outcome.events });
    this.#askFor(outcome.needVerdicts);
    if (outcome.done && this.#isLeavingGroup) {
      this.#leaveGroup();
      return;
    }
    this.#resolving = !outcome.done && outcome.needVerdicts.length === 0;
    if (this.#resolving) return;
    this.#pruning ||= outcome.done && this.#parts.prune !== null;
    if (this.#uncommitted === 0) {
      this.#answerBlocks();
    } else if (this.#uncommitted >= this.#groupSize()) {
      this.#flush();
      this.#resolving = true;
    }
  }

  /**
   * Who keeps fewer blocks in flight than a group holds would wait for nothing but time. When the loading is over, blocks
   * that miners and peers wait for come while its last proofs are judged: those wait for nobody.
   */
  #groupSize(): number {
    if (this.#isLeavingGroup) return 1;
    return this.#blocks.length > 0 ? ENGINE_LIMITS.groupCommitBlocks : ENGINE_LIMITS.groupCommitFew;
  }

  #resolveStep(): ResolveOutcome {
    if (this.#importing) return AT_REST;
    try {
      return readResolveOutcome(
        callCore(() => this.#engine.resolve(ENGINE_LIMITS.resolveStepBlocks)),
      );
    } catch (thrown) {
      // The store was left in the middle of an import.
      if (!SvcError.is(thrown, "engine/not-imported")) throw thrown;
      this.#importing = true;
      return AT_REST;
    }
  }

  #answerBlocks(): void {
    for (const { id, answer } of this.#unanswered.splice(0)) {
      this.#parts.report({ kind: "answer", id, answer });
    }
  }

  #note(verdict: Verdict): void {
    const { txid, format, valid } = verdict;
    this.#asked.delete(proofKey(verdict));
    this.#unjudged.delete(proofKey(verdict));
    callCore(() => this.#engine.noteVerdict(txid, format, valid));
    this.#resolving = true;
  }

  /** Keeps a failed judgement from being asked for at once: what made it fail may need a moment to pass. */
  #pause(key: string): void {
    if (!this.#asked.has(key)) return;
    const pausing = this.#unjudged.size > 0;
    this.#unjudged.add(key);
    if (!pausing) this.#parts.later(() => this.#askAgain(), ENGINE_LIMITS.verdictRetryMs);
  }

  #askAgain(): void {
    for (const key of this.#unjudged) this.#asked.delete(key);
    this.#unjudged.clear();
    this.#resolving = true;
    this.#schedule();
  }

  /**
   * Asks for proofs not asked for yet. What is beyond the bound is left out: resolving names it again, and
   * every verdict makes room and resolves.
   */
  #askFor(jobs: readonly VerdictJob[]): void {
    const fresh: ProofJob[] = [];
    for (const job of jobs) {
      const { block, index, txid, format } = job;
      const key = proofKey(job);
      if (this.#asked.has(key)) continue;
      if (this.#asked.size >= ENGINE_LIMITS.blockProofs) break;
      this.#asked.add(key);
      const raw = callCore(() => this.#engine.transactionBytes(block, index));
      if (raw === undefined) throw new SvcError("store/missing", { table: "bodies", key: block });
      fresh.push({ txid, format, raw });
    }
    if (fresh.length > 0) this.#parts.report({ kind: "jobs", jobs: fresh });
  }
}

function proofKey({ txid, format }: { readonly txid: string; readonly format: number }): string {
  return `${txid}:${format}`;
}
