/**
 * The inlet for blocks and headers: bounded in number, bytes and costly work, keeps orphans, hands their turn to blocks
 * that waited.
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hasWitness } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawHeaders, type WitnessedHeader } from "@svc/shared/protocol/raw/rawHeaders.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { InsertOutcome } from "./engineFacts.ts";
import type { EngineHost } from "./engineHost.ts";
import type { ExpensiveWork, WorkSource } from "./expensiveWork.ts";
import { OrphanPool } from "./orphanPool.ts";

/** What the inlet works with. */
export type BlockIngestParts = {
  readonly engine: Pick<EngineHost, "insertBlock" | "insertHeaders">;
  readonly work: ExpensiveWork;
  readonly clock: Clock;
  readonly log: Log;
};

/** Whose call it is, and when it is given up. */
export type Submission = {
  /** Absent for this program's own blocks, which are not limited. */
  readonly source?: WorkSource | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The one way for blocks into the engine. */
export class BlockIngest {
  readonly #parts: BlockIngestParts;
  readonly #orphans = new OrphanPool();
  #blocks = 0;
  #bytes = 0;

  constructor(parts: BlockIngestParts) {
    this.#parts = parts;
  }

  /** Blocks that wait for their parents. */
  get orphans(): number {
    return this.#orphans.size;
  }

  /**
   * Hands in a block. Answered when it is durable; a block without its parents is kept and answered
   * `missingParents`. A caller that cancels is told at once; the block goes in all the same and counts until
   * the engine has answered. Errors: the engine's, `queue/full`, `queue/too-fast`, `run/aborted`.
   */
  async submit(raw: Uint8Array, { source, signal }: Submission = {}): Promise<InsertOutcome> {
    this.#admit(raw, signal);
    if (source !== undefined) {
      this.#parts.work.take("headers", source);
      if (hasWitness(raw)) this.#parts.work.take("witnesses", source);
    }
    const inserted = this.#insert(raw);
    return signal === undefined ? inserted : abortable(inserted, signal);
  }

  /**
   * Hands in headers ahead of their bodies, parents first. Answered with one outcome per header when they are durable;
   * those without their parents are not kept. Cancelling and errors as for blocks, `codec/count-too-large` above
   * `FORM_BOUNDS.headers`.
   */
  async submitHeaders(
    headers: readonly WitnessedHeader[],
    { source, signal }: Submission = {},
  ): Promise<readonly InsertOutcome[]> {
    const raw = encodeRawHeaders(headers);
    this.#admit(raw, signal);
    if (source !== undefined) {
      const witnesses = headers.filter(({ witness }) => witness !== undefined).length;
      this.#parts.work.take("headers", source, headers.length);
      if (witnesses > 0) this.#parts.work.take("witnesses", source, witnesses);
    }
    const inserted = this.#counted(raw, () => this.#parts.engine.insertHeaders(raw, this.#now()));
    return signal === undefined ? inserted : abortable(inserted, signal);
  }

  #now(): bigint {
    return this.#parts.clock.nowMs();
  }

  #admit(raw: Uint8Array, signal: AbortSignal | undefined): void {
    if (signal !== undefined) throwIfAborted(signal);
    const full =
      this.#blocks >= LIMITS.ingestBlocks || this.#bytes + raw.length > LIMITS.ingestBytes;
    if (full) throw new SvcError("queue/full", { queue: "blocks", limit: LIMITS.ingestBlocks });
  }

  async #insert(raw: Uint8Array): Promise<InsertOutcome> {
    return this.#counted(raw, async () => {
      const outcome = await this.#parts.engine.insertBlock(raw, this.#now());
      if (outcome.kind === "missingParents") this.#orphans.add(outcome.hash, raw, outcome.parents);
      if (outcome.kind === "accepted") await this.#adopt(outcome);
      return outcome;
    });
  }

  /** Counts the bytes as waiting until the work is done. */
  async #counted<T>(raw: Uint8Array, work: () => Promise<T>): Promise<T> {
    this.#blocks += 1;
    this.#bytes += raw.length;
    try {
      return await work();
    } finally {
      this.#blocks -= 1;
      this.#bytes -= raw.length;
    }
  }

  /** Inserts the blocks that waited for this one, and those that waited for them. */
  async #adopt(parent: Extract<InsertOutcome, { kind: "accepted" }>): Promise<void> {
    const ready = this.#orphans.arrived(parent.hash);
    for (let raw = ready.shift(); raw !== undefined; raw = ready.shift()) {
      try {
        const outcome = await this.#parts.engine.insertBlock(raw, this.#now());
        if (outcome.kind === "accepted") ready.push(...this.#orphans.arrived(outcome.hash));
        if (outcome.kind === "missingParents") {
          this.#orphans.add(outcome.hash, raw, outcome.parents);
        }
        if (outcome.kind === "rejected") {
          this.#parts.log.warn({ hash: outcome.hash, code: outcome.code }, "an orphan was refused");
        }
      } catch (error) {
        this.#parts.log.warn({ err: error }, "an orphan could not be inserted");
      }
    }
  }
}
