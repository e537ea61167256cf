/**
 * The ingress queue for blocks and headers: bounds their number and bytes, applies rate limits, keeps orphans, and inserts them
 * when their parents have come.
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hasWitness } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawHeaders, type WitnessedHeader } from "@svc/shared/protocol/raw/rawHeaders.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { InsertOutcome } from "../calls/engineFacts.ts";
import type { EngineHost } from "../host/engineHost.ts";
import type { WorkRateLimiter, WorkSource } from "../verify/workRateLimiter.ts";
import { OrphanPool } from "./orphanPool.ts";

/** Dependencies of the ingress queue. */
export type BlockIngestParts = {
  readonly engine: Pick<EngineHost, "insertBlock" | "insertHeaders">;
  readonly work: WorkRateLimiter;
  readonly clock: Clock;
  readonly log: Log;
};

/** Who submits, and when the submission is cancelled. */
export type Submission = {
  /** Absent for this program's own blocks, which are not limited and go before those of others. */
  readonly source?: WorkSource | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What waits for the engine. */
type Waiting = { blocks: number; bytes: number };

/** The only way for blocks into the engine. */
export class BlockIngest {
  readonly #parts: BlockIngestParts;
  readonly #orphans = new OrphanPool();
  readonly #all: Waiting = { blocks: 0, bytes: 0 };
  /** Of each source that has something waiting. */
  readonly #bySource = new Map<WorkSource, Waiting>();

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
    this.#admit(raw, { source, signal });
    if (source !== undefined) {
      this.#parts.work.take("headers", source, tokensOf(raw, 1));
      if (hasWitness(raw)) this.#parts.work.take("witnesses", source);
    }
    const inserted = this.#insert(raw, source);
    return signal === undefined ? inserted : abortable(inserted, signal);
  }

  /**
   * Hands in a block that this node asked for while it catches up: its header is known, so its work was paid for, and
   * whoever asks bounds how many are on their way. Answered like `submit`.
   */
  async submitWanted(raw: Uint8Array): Promise<InsertOutcome> {
    return this.#counted({ raw, source: undefined }, async () => {
      const outcome = await this.#parts.engine.insertBlock(raw, this.#now());
      if (outcome.kind === "accepted") await this.#adopt(outcome);
      return outcome;
    });
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
    this.#admit(raw, { source, signal });
    if (source !== undefined) {
      const witnesses = headers.filter(({ witness }) => witness !== undefined).length;
      this.#parts.work.take("headers", source, tokensOf(raw, headers.length));
      if (witnesses > 0) this.#parts.work.take("witnesses", source, witnesses);
    }
    const inserted = this.#counted({ raw, source }, async () => {
      const outcomes = await this.#parts.engine.insertHeaders(raw, this.#now());
      this.#charge(outcomes, source);
      return outcomes;
    });
    return signal === undefined ? inserted : abortable(inserted, signal);
  }

  #now(): bigint {
    return this.#parts.clock.nowMs();
  }

  #admit(raw: Uint8Array, { source, signal }: Submission): void {
    if (signal !== undefined) throwIfAborted(signal);
    if (source === undefined) return;
    const { ingestBlocks, ingestBytes, ingestSourceBlocks, ingestSourceBytes } = ENGINE_LIMITS;
    const full = (limit: number): SvcError =>
      new SvcError("queue/full", { queue: "blocks", limit });
    const { blocks, bytes } = this.#all;
    if (blocks >= ingestBlocks || bytes + raw.length > ingestBytes) throw full(ingestBlocks);
    const own = this.#waitingOf(source);
    const isFull = own.blocks >= ingestSourceBlocks || own.bytes + raw.length > ingestSourceBytes;
    if (isFull) throw full(ingestSourceBlocks);
  }

  async #insert(raw: Uint8Array, source: WorkSource | undefined): Promise<InsertOutcome> {
    return this.#counted({ raw, source }, async () => {
      const first = source === undefined;
      const outcome = await this.#parts.engine.insertBlock(raw, this.#now(), { first });
      this.#charge([outcome], source);
      if (outcome.kind === "missingParents") this.#orphans.add(outcome.hash, raw, outcome.parents);
      if (outcome.kind === "accepted") await this.#adopt(outcome);
      return outcome;
    });
  }

  /** Makes a source pay for what the engine found out late. */
  #charge(outcomes: readonly InsertOutcome[], source: WorkSource | undefined): void {
    if (source === undefined) return;
    const isLate = (outcome: InsertOutcome): boolean =>
      outcome.kind === "rejected" && isOfClass(outcome, "place");
    const late = outcomes.filter(isLate).length;
    const cost = late * ENGINE_LIMITS.refusedWindowHeaders;
    if (late > 0) this.#parts.work.charge("headers", source, cost);
  }

  /** Counts the bytes as waiting until the work is done. */
  async #counted<T>({ raw, source }: Handed, work: () => Promise<T>): Promise<T> {
    this.#count(source, 1, raw.length);
    try {
      return await work();
    } finally {
      this.#count(source, -1, -raw.length);
    }
  }

  #count(source: WorkSource | undefined, blocks: number, bytes: number): void {
    this.#all.blocks += blocks;
    this.#all.bytes += bytes;
    if (source === undefined) return;
    const own = this.#waitingOf(source);
    own.blocks += blocks;
    own.bytes += bytes;
    if (own.blocks === 0) this.#bySource.delete(source);
    else this.#bySource.set(source, own);
  }

  #waitingOf(source: WorkSource): Waiting {
    return this.#bySource.get(source) ?? { blocks: 0, bytes: 0 };
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

type Handed = { readonly raw: Uint8Array; readonly source: WorkSource | undefined };

/** What a source pays: a token for each header, at least one for each started part of the bytes. */
function tokensOf(raw: Uint8Array, headers: number): number {
  return Math.max(headers, Math.ceil(raw.length / ENGINE_LIMITS.headerTokenBytes));
}
