/**
 * Writes down what only this node sees of blocks and transactions: when they first came, and who delivered blocks first. What comes is
 * noted in a bounded queue and written in small commits, in its order.
 */
import {
  asTimestampMs,
  type BlockHash,
  type Hash32,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hasWitness } from "@svc/shared/protocol/raw/rawBlock.ts";
import type { QuestionSource } from "../../engine/calls/askFacts.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Kv } from "../../storage/kv.ts";
import { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import {
  firstSeen,
  putFirstSeen,
  putRelay,
  putWatchedSince,
  relayRow,
  watchedSince,
} from "../tables/observedTables.ts";

/** Dependencies. */
export type ObservationsParts = {
  readonly kv: Kv;
  readonly engine: QuestionSource;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Pick<Log, "warn">;
};

type Note =
  | { readonly kind: "seen"; readonly hash: Hash32; readonly t: TimestampMs }
  | {
      readonly kind: "relay";
      readonly hash: BlockHash;
      readonly net: string;
      readonly t: TimestampMs;
    };

/** Milliseconds of an hour, by which deliveries are counted. */
export const HOUR_MS = 3_600_000n;

/** The writer of the observed tables. */
export class Observations {
  readonly #parts: ObservationsParts;
  readonly #stopping = new AbortController();
  #waiting: Note[] = [];
  #lost = 0;
  #writing: Promise<void> | null = null;
  constructor(parts: ObservationsParts) {
    this.#parts = parts;
  }

  /** Notes that watching begins, once for all. Errors: those of a commit. */
  start(): void {
    const { kv, clock } = this.#parts;
    if (watchedSince(kv) !== undefined) return;
    const batch = new StoreBatch(kv, 0n);
    putWatchedSince(batch, asTimestampMs(clock.nowMs()));
    kv.commit(batch.end());
  }

  /** Writes what waits, as far as the engine still answers, and ends. */
  async stop(): Promise<void> {
    await this.#writing;
    this.#stopping.abort();
    await this.#writing;
  }

  /** Resolves when everything that was noted is written. */
  async written(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  /** Notes that had no place and are lost. */
  get lost(): number {
    return this.#lost;
  }

  /** A block or a waiting transaction was heard of for the first time. */
  noteSeen(hash: Hash32): void {
    this.#note({ kind: "seen", hash, t: this.#now() });
  }

  /** A peer was the first to deliver a block. `net`: its subnetwork, masked. */
  noteRelay(hash: BlockHash, net: string): void {
    this.#note({ kind: "relay", hash, net, t: this.#now() });
  }

  #now(): TimestampMs {
    return asTimestampMs(this.#parts.clock.nowMs());
  }

  #note(note: Note): void {
    if (this.#waiting.length >= INDEXER_LIMITS.indexNotesWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(note);
    this.#work();
  }

  #work(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    const { kv, log } = this.#parts;
    const { signal } = this.#stopping;
    while (this.#waiting.length > 0 && !signal.aborted) {
      // What comes in one turn is written together.
      await new Promise((resolve) => setImmediate(resolve));
      const notes = this.#waiting.splice(0, INDEXER_LIMITS.indexNotesBatch);
      const batch = new StoreBatch(kv, 0n);
      let taken = 0;
      for (const note of notes) {
        try {
          await this.#take(batch, note, signal);
          taken += 1;
        } catch (error) {
          this.#lost += 1;
          if (!signal.aborted) log.warn({ err: SvcError.from(error) }, "a sighting is lost");
        }
      }
      try {
        if (!batch.isEmpty) kv.commit(batch.end());
      } catch (error) {
        this.#lost += taken;
        log.warn({ err: SvcError.from(error) }, "sightings are lost");
      }
    }
  }

  async #take(batch: StoreBatch, note: Note, signal: AbortSignal): Promise<void> {
    if (note.kind === "seen") {
      const { hash, t } = note;
      if (firstSeen(batch, hash) === undefined) putFirstSeen(batch, hash, t);
    } else await this.#takeRelay(batch, note, signal);
  }

  async #takeRelay(
    batch: StoreBatch,
    { hash, net, t }: Extract<Note, { kind: "relay" }>,
    signal: AbortSignal,
  ): Promise<void> {
    // The engine keeps a witness only where the block has no work of its own.
    const raw = await this.#parts.engine.ask("blockBytes", [hash], signal);
    const isMerged = raw !== undefined && hasWitness(raw);
    const row = relayRow(batch, t / HOUR_MS, net);
    putRelay(batch, t / HOUR_MS, net, {
      blocks: (row?.blocks ?? 0) + 1,
      mergeMined: (row?.mergeMined ?? 0) + (isMerged ? 1 : 0),
      lastMerged: isMerged ? t : (row?.lastMerged ?? asTimestampMs(0n)),
    });
  }
}
