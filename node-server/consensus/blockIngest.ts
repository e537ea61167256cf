/**
 * The inlet for blocks: bounded in number and bytes, keeps orphans, hands their turn to blocks that waited.
 */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { InsertOutcome } from "./engineFacts.ts";
import type { EngineHost } from "./engineHost.ts";
import { OrphanPool } from "./orphanPool.ts";

/** What the inlet works with. */
export type BlockIngestParts = {
  readonly engine: Pick<EngineHost, "insertBlock">;
  readonly clock: Clock;
  readonly log: Log;
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
   * the engine has answered. Errors: the engine's, `queue/full`, `run/aborted`.
   */
  async submit(raw: Uint8Array, signal?: AbortSignal): Promise<InsertOutcome> {
    if (signal !== undefined) throwIfAborted(signal);
    const full =
      this.#blocks >= LIMITS.ingestBlocks || this.#bytes + raw.length > LIMITS.ingestBytes;
    if (full) throw new SvcError("queue/full", { queue: "blocks", limit: LIMITS.ingestBlocks });
    const inserted = this.#insert(raw);
    return signal === undefined ? inserted : abortable(inserted, signal);
  }

  async #insert(raw: Uint8Array): Promise<InsertOutcome> {
    this.#blocks += 1;
    this.#bytes += raw.length;
    try {
      const outcome = await this.#parts.engine.insertBlock(raw, this.#parts.clock.nowMs());
      if (outcome.kind === "missingParents") this.#orphans.add(outcome.hash, raw, outcome.parents);
      if (outcome.kind === "accepted") await this.#adopt(outcome);
      return outcome;
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
        const outcome = await this.#parts.engine.insertBlock(raw, this.#parts.clock.nowMs());
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
