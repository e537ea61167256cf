/**
 * The log of reorganisations: each is on disk as soon as it was heard of, together with the tip up to which everything was heard.
 * Where events may have been missed, that tip is compared with the chain. The fork point is asked for afterwards.
 */
import { asTimestampMs, type BlockHash, type TimestampMs } from "@svc/shared/base/brand.ts";
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { askFacts, type QuestionSource } from "../../engine/calls/askFacts.ts";
import type { VirtualChanged } from "../../engine/calls/engineFacts.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Kv } from "../../storage/kv.ts";
import { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import {
  completeReorg,
  heardReorgOf,
  heardReorgsAfter,
  heardTip,
  isNotedReorg,
  putHeardReorg,
  putHeardTip,
  type HeardReorg,
} from "../tables/reorgTable.ts";

/** Dependencies. */
export type ReorgLogParts = {
  readonly kv: Kv;
  readonly engine: QuestionSource;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Pick<Log, "warn">;
  /** The chain is not being caught up with. Until then a tip is written with a reorganisation alone: each one is a flush. */
  readonly isSynced: () => boolean;
  /** Told, after an engine restart, of blocks that may have come meanwhile. */
  readonly onPossiblyNew: (blocks: readonly BlockHash[]) => void;
};

/** The engine does not have the block, or not any more. */
const GONE = ["chain/unknown-block", "chain/pruned", "chain/no-common-block"] as const;

/** The writer of the log. */
export class ReorgLog {
  readonly #parts: ReorgLogParts;
  readonly #stopping = new AbortController();
  /** Pages of a change of the chain that is not over. */
  #removed: BlockHash[] = [];
  #added = 0;
  /** The sink up to which all was heard; null before the first. */
  #tip: BlockHash | null = null;
  /** One value for each time since which events may have been missed; null when none were. */
  #gap: symbol | null = null;
  /** The tip that was heard of before the engine was restarted; null when what came since is known. */
  #beforeRestart: BlockHash | null = null;
  #isDue = false;
  #working: Promise<void> | null = null;

  constructor(parts: ReorgLogParts) {
    this.#parts = parts;
  }

  /** Compares what was heard before the end with the chain. */
  start(): void {
    this.#tip = heardTip(this.#parts.kv) ?? null;
    this.#missed();
  }

  /** Ends; what is not complete is completed after the next start. */
  async stop(): Promise<void> {
    await this.#working;
    this.#stopping.abort();
    await this.#working;
  }

  /** Resolves when everything is written and asked for, as far as the engine answers. */
  async written(): Promise<void> {
    while (this.#working !== null) await this.#working;
  }

  /** The selected chain moved. A long change comes in pages. */
  noteChange({ removed, added, sink, last }: VirtualChanged): void {
    this.#removed.push(...removed.slice(0, MOST_REMOVED - this.#removed.length));
    this.#added += added.length;
    if (!last) return;
    const left = this.#removed.splice(0);
    const count = this.#added;
    this.#added = 0;
    // What is left reaches down to the tip that was heard of last: between the two nothing was missed.
    if (this.#tip !== null && left.includes(this.#tip)) this.#gap = null;
    const isWritten = left.length > 0 || this.#parts.isSynced();
    if (isWritten) this.#write(heardOf(left, sink, { t: this.#now(), added: count }), sink);
    else if (this.#gap === null) this.#tip = sink;
    this.#work();
  }

  /** The engine was restarted: events may have been missed, and the rest of a change does not come any more. */
  noteRestart(): void {
    this.#removed = [];
    this.#added = 0;
    this.#beforeRestart ??= this.#tip;
    this.#missed();
  }

  #missed(): void {
    this.#gap = Symbol("gap");
    this.#work();
  }

  #now(): TimestampMs {
    return asTimestampMs(this.#parts.clock.nowMs());
  }

  /**
   * Writes at once, in one commit, so that a kill neither loses a reorganisation nor lets it be noted again. Across a gap the tip
   * stays, for the chain to be compared with. What could not be written is found by comparing.
   */
  #write(heard: HeardReorg | null, tip: BlockHash): void {
    const { kv, log } = this.#parts;
    const batch = new StoreBatch(kv, 0n);
    try {
      if (heard !== null && !isNotedReorg(kv, heard.oldTip)) putHeardReorg(batch, heard);
      if (this.#gap === null) putHeardTip(batch, tip);
      if (!batch.isEmpty) kv.commit(batch.end());
      if (this.#gap === null) this.#tip = tip;
    } catch (error) {
      this.#gap ??= Symbol("gap");
      log.warn({ err: SvcError.from(error) }, "a move of the chain could not be noted");
    }
  }

  #work(): void {
    this.#isDue = true;
    this.#working ??= this.#run().finally(() => {
      this.#working = null;
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      await new Promise((resolve) => setImmediate(resolve));
      try {
        // First of all: the index is about to meet what is new.
        await this.#tellNew(signal);
        await this.#complete(signal);
        if (this.#gap !== null) {
          await this.#compare(this.#gap, signal);
          await this.#complete(signal);
        }
      } catch (thrown) {
        // It is asked again when the chain moves next.
        const error = SvcError.from(thrown);
        if (SvcError.is(error, "engine/restarted", "queue/full") || signal.aborted) continue;
        this.#parts.log.warn({ err: error }, "reorganisations wait for the engine");
      }
    }
  }

  /** Looks what the chain left since the last tip that was heard of. */
  async #compare(gap: symbol, signal: AbortSignal): Promise<void> {
    const { engine } = this.#parts;
    const { sink, chainIndex } = await askFacts(engine, "tip", [], signal);
    const left = this.#tip === null ? [] : await this.#leftSince(this.#tip, signal);
    const lowest = left.at(-1);
    const fork = lowest === undefined ? null : await this.#parentOf(lowest, signal);
    const from = fork === null ? undefined : await engine.ask("chainIndexOf", [fork], signal);
    // An event has closed the gap meanwhile, or there is another one.
    if (this.#gap !== gap) return;
    this.#gap = null;
    const added = from === undefined ? null : Number(chainIndex - from);
    this.#write(heardOf(left, sink, { t: this.#now(), added }), sink);
  }

  async #leftSince(tip: BlockHash, signal: AbortSignal): Promise<readonly BlockHash[]> {
    const { engine, log } = this.#parts;
    try {
      return (await askFacts(engine, "virtualChainFrom", [tip, 0], signal)).removed;
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (!SvcError.is(error, ...GONE)) throw error;
      log.warn({ err: error, tip }, "whether the chain left the last known tip cannot be told");
      return [];
    }
  }

  /** After an engine restart: tells of what lies above the tip of before. */
  async #tellNew(signal: AbortSignal): Promise<void> {
    const { engine, isSynced, onPossiblyNew } = this.#parts;
    const tip = this.#beforeRestart;
    if (tip === null) return;
    try {
      const limit = INDEXER_LIMITS.indexNotesBatch;
      if (isSynced()) onPossiblyNew(await askFacts(engine, "blocksFrom", [tip, limit], signal));
    } catch (thrown) {
      if (!SvcError.is(SvcError.from(thrown), ...GONE)) throw thrown;
    }
    this.#beforeRestart = null;
  }

  /** The oldest first, so that rows come in the order of their times: those behind one that waits wait, too. */
  async #complete(signal: AbortSignal): Promise<void> {
    const { kv } = this.#parts;
    let after: Uint8Array = new Uint8Array();
    for (;;) {
      const [pair] = heardReorgsAfter(kv, after, 1);
      if (pair === undefined) return;
      after = pair.key;
      const heard = heardReorgOf(pair);
      if (heard === undefined) continue;
      const { t, oldTip, newTip, lowest, removed, added } = heard;
      const forkPoint = await this.#parentOf(lowest, signal);
      const batch = new StoreBatch(kv, 0n);
      // One at least took their place.
      completeReorg(batch, heard, { t, oldTip, newTip, forkPoint, removed, added: added ?? 1 });
      kv.commit(batch.end());
    }
  }

  /** Null where the engine cannot tell any more: waiting would hold up all that follows. Rejects where it may tell later. */
  async #parentOf(block: BlockHash, signal: AbortSignal): Promise<BlockHash | null> {
    const { engine, log } = this.#parts;
    try {
      return (await askFacts(engine, "blockFacts", [block], signal))?.selectedParent ?? null;
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (isOfClass(error, "own")) throw error;
      log.warn({ err: error, block }, "the fork point of a reorganisation stays unknown");
      return null;
    }
  }
}

/** Null where nothing was left. */
function heardOf(
  removed: readonly BlockHash[],
  newTip: BlockHash,
  rest: Pick<HeardReorg, "t" | "added">,
): HeardReorg | null {
  const [oldTip] = removed;
  const lowest = removed.at(-1);
  if (oldTip === undefined || lowest === undefined) return null;
  return { ...rest, oldTip, newTip, lowest, removed: removed.length };
}

/** Chain blocks of one change that are remembered: deeper than finality goes. */
const MOST_REMOVED = 100_000;
