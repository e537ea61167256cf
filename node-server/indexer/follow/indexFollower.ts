/**
 * Follows the selected chain with the derived tables: from the last indexed chain block it asks the engine what was removed and
 * added since, and writes it in small commits. Events only wake it, so nothing queues up however fast they come. After a start it
 * goes on where the tables end.
 */
import { asChainIndex, type BlockHash, type ChainIndex } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { isOutOfRoom } from "../../storage/diskSpace.ts";
import { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { ChainContent } from "../derive/chainContent.ts";
import { addChainBlock, addFirst, removeChainBlock } from "../derive/deriveChain.ts";
import { readBlock, type BlockSource } from "../derive/readBlock.ts";
import { ChainBlockReader } from "../derive/readChain.ts";
import { trimChainBlock } from "../derive/trimChain.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { blockRowOf, chainEnd, chainRowAt, type IndexedChainRow } from "../tables/derivedTables.ts";
import type { DerivedStore } from "./derivedStore.ts";
import { OpenBlocks } from "./openBlocks.ts";

/** Dependencies of the follower. */
export type IndexFollowerParts = {
  readonly derived: DerivedStore;
  readonly source: BlockSource;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Milliseconds of the chain that are kept, back from its newest block; null keeps everything. */
  readonly keptMs: bigint | null;
};

/** How far the follower is. */
export type FollowerState = {
  /** Chain blocks of the node that are not indexed yet. */
  readonly behind: bigint;
  /** It has been at the sink since it began. */
  readonly hasSettled: boolean;
  /** The tables are made from the beginning and have not come to the sink yet. */
  readonly isRebuilding: boolean;
  /** What keeps the index from going on for good; null while nothing does. */
  readonly problem: SvcError | null;
};

/** What a chain of blocks is asked about again and again would not change. */
const GONE = ["chain/unknown-block", "chain/pruned", "chain/no-common-block"] as const;

/** Follows the chain until it is stopped. */
export class IndexFollower {
  readonly #parts: IndexFollowerParts;
  readonly #stopping = new AbortController();
  readonly open = new OpenBlocks();
  #reader: ChainBlockReader;
  #news: PromiseWithResolvers<void> = Promise.withResolvers();
  #isAwake = true;
  #running: Promise<void> | null = null;
  #sinkIndex: ChainIndex = asChainIndex(0n);
  #isRebuilding = false;
  #isFirst = true;
  /** How far behind it will be when the operator is told next; null while nothing is told. */
  #toldBehind: bigint | null = null;
  #wasGone = false;
  #problem: SvcError | null = null;
  /** What somebody else found while reading. */
  #damage: SvcError | null = null;
  #caughtUp: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(parts: IndexFollowerParts) {
    this.#parts = parts;
    this.#reader = new ChainBlockReader(parts.source);
  }

  /** Begins to follow. */
  start(): void {
    this.#isRebuilding = this.#indexed() < 0n;
    this.#running ??= this.#run();
  }

  /** Ends following; resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  /** Looks at the chain again. Cheap, whenever something may have happened. */
  wake(): void {
    this.#isAwake = true;
    this.#news.resolve();
  }

  /** A row is damaged: the tables are made anew. */
  distrust(error: SvcError): void {
    this.#damage ??= error;
    this.wake();
  }

  /** How far it is. */
  state(): FollowerState {
    const behind = this.#sinkIndex - this.#indexed();
    return {
      behind: behind < 0n ? 0n : behind,
      hasSettled: !this.#isFirst,
      isRebuilding: this.#isRebuilding || this.#damage !== null,
      problem: this.#problem,
    };
  }

  /** Resolves when the tables are next at the sink, and the blocks above it are known. For tests and progress. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  #indexed(): bigint {
    try {
      return chainEnd(this.#parts.derived.kv, "last")?.index ?? -1n;
    } catch {
      return -1n;
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (await this.#step(signal)) continue;
        await this.#news.promise;
      } catch (thrown) {
        if (signal.aborted) return;
        if (!(await this.#recover(SvcError.from(thrown), signal))) return;
      }
    }
  }

  /** Whether it goes on. */
  async #recover(error: SvcError, signal: AbortSignal): Promise<boolean> {
    const { log, clock } = this.#parts;
    if (isOutOfRoom(error)) {
      this.#problem = error;
      log.error({ err: error }, "the index has no room and does not go on");
      return false;
    }
    try {
      // A block may go while it is read; one that is gone twice does not come back.
      const isGone = SvcError.is(error, ...GONE);
      const isLost = this.#parts.derived.isLost(error) || (isGone && this.#wasGone);
      this.#wasGone = isGone;
      if (isLost) {
        log.warn({ err: error }, "the index does not fit the chain and is made anew");
        // What fails again before it has come to an end would fail again and again.
        if (this.#isRebuilding) await clock.sleep(INDEXER_LIMITS.indexRetryMs, signal);
        await this.#rebuild();
        return true;
      }
      if (!SvcError.is(error, "engine/restarted", "queue/full")) {
        log.warn({ err: error }, "the index could not go on, and tries again");
      }
      await clock.sleep(INDEXER_LIMITS.indexRetryMs, signal);
      return true;
    } catch (thrown) {
      if (signal.aborted) return false;
      this.#problem = SvcError.from(thrown);
      log.error({ err: this.#problem }, "the index cannot be made anew");
      return false;
    }
  }

  async #rebuild(): Promise<void> {
    this.#isRebuilding = true;
    this.#wasGone = false;
    this.#damage = null;
    this.open.clear();
    this.#reader = new ChainBlockReader(this.#parts.source);
    await this.#parts.derived.drop();
  }

  /** Goes one commit further; false when there is nothing to do. */
  async #step(signal: AbortSignal): Promise<boolean> {
    const { derived, source } = this.#parts;
    this.#isAwake = false;
    this.#news = Promise.withResolvers();
    if (this.#damage !== null) throw this.#damage;
    const tip = await askFacts(source.engine, "tip", [], signal);
    this.#sinkIndex = tip.chainIndex;
    const last = chainEnd(derived.kv, "last");
    if (last === undefined) {
      const first = await this.#reader.readFirst(signal, this.#parts.keptMs);
      const batch = new StoreBatch(derived.kv, 0n);
      addFirst(batch, first);
      this.#commit(batch);
      return true;
    }
    this.#tellProgress(last.index);
    const limit = INDEXER_LIMITS.indexBatchBlocks;
    const change = await askFacts(source.engine, "virtualChainFrom", [last.hash, limit], signal);
    if (change.removed.length > 0) {
      await this.#remove(change.removed.slice(0, limit));
      return true;
    }
    if (change.added.length > 0) {
      await this.#add(
        change.added.map(({ hash }) => hash),
        signal,
      );
      return true;
    }
    await this.#settle(last, tip.tips, signal);
    return (await this.#trim(last, tip.finalIndex)) || this.#isAwake;
  }

  /** A line for the operator whenever a tenth of what was left is done, when much is left. */
  #tellProgress(indexed: ChainIndex): void {
    const behind = this.#sinkIndex - indexed;
    if (behind <= INDEXER_LIMITS.indexQuietBlocks) {
      this.#toldBehind = null;
      return;
    }
    const isNews = this.#toldBehind === null || behind <= this.#toldBehind;
    if (!isNews) return;
    this.#toldBehind = behind - (this.#sinkIndex - indexed) / TENTHS;
    this.#parts.log.info({ chainIndex: indexed, behind }, "the index catches up with the chain");
  }

  async #remove(removed: readonly BlockHash[]): Promise<void> {
    const batch = new StoreBatch(this.#parts.derived.kv, 0n);
    for (const hash of removed) {
      const last = chainEnd(batch, "last");
      if (last?.hash !== hash || last.parent === null) {
        throw new SvcError("store/corrupt", { table: "index", reason: `the chain left ${hash}` });
      }
      removeChainBlock(batch, last);
      await aTurn();
    }
    this.#commit(batch);
  }

  async #add(hashes: readonly BlockHash[], signal: AbortSignal): Promise<void> {
    const batch = new StoreBatch(this.#parts.derived.kv, 0n);
    const ahead: Promise<ChainContent>[] = [];
    let next = 0;
    const read = (): void => {
      const hash = hashes[next];
      if (hash === undefined) return;
      next += 1;
      const reading = this.#reader.read(hash, signal);
      reading.catch(() => undefined);
      ahead.push(reading);
    };
    for (let count = 0; count < INDEXER_LIMITS.indexReadAhead; count += 1) read();
    for (let one = ahead.shift(); one !== undefined; one = ahead.shift()) {
      addChainBlock(batch, await one);
      if (batch.size >= INDEXER_LIMITS.indexBatchChanges) break;
      read();
      await aTurn();
    }
    this.#commit(batch);
  }

  /**
   * Takes chain blocks away that are older than what is kept, and that the chain cannot leave any more. False when there are none.
   */
  async #trim(last: IndexedChainRow, finalIndex: ChainIndex): Promise<boolean> {
    const { derived, keptMs } = this.#parts;
    if (keptMs === null) return false;
    const batch = new StoreBatch(derived.kv, 0n);
    let first = chainEnd(batch, "first");
    for (let count = 0; count < INDEXER_LIMITS.indexBatchBlocks; count += 1) {
      const next = first && chainRowAt(batch, asChainIndex(first.index + 1n));
      if (first === undefined || next === undefined || next.index > finalIndex) break;
      if (next.timestamp > last.timestamp - keptMs) break;
      trimChainBlock(batch, first, next);
      first = next;
      if (batch.size >= INDEXER_LIMITS.indexBatchChanges) break;
      await aTurn();
    }
    if (batch.isEmpty) return false;
    this.#commit(batch);
    return true;
  }

  /** At the sink: finds the blocks above it. */
  async #settle(
    last: IndexedChainRow,
    tips: readonly BlockHash[],
    signal: AbortSignal,
  ): Promise<void> {
    const { derived, source, log } = this.#parts;
    const sink = await readBlock(source, last.hash, signal);
    await this.open.refresh(tips, sink, {
      isMerged: (hash) => blockRowOf(derived.kv, hash) !== undefined,
      read: async (hash) => this.#readOpen(hash, signal),
    });
    this.#isFirst = false;
    if (this.#isRebuilding) {
      this.#isRebuilding = false;
      log.info({ chainIndex: last.index }, "the index covers the chain");
    }
    const { resolve } = this.#caughtUp;
    this.#caughtUp = Promise.withResolvers();
    resolve();
  }

  /** Null for what has no body or was refused. Below the beginning of the tables there is no end to what is not merged. */
  async #readOpen(hash: BlockHash, signal: AbortSignal) {
    const { source, derived } = this.#parts;
    const stage = await askFacts(source.engine, "blockStage", [hash], signal);
    if (stage !== "valid" && stage !== "pending" && stage !== "disqualified") return null;
    const block = await readBlock(source, hash, signal);
    const first = chainEnd(derived.kv, "first");
    return first !== undefined && block.blueScore < first.blueScore ? null : block;
  }

  #commit(batch: StoreBatch): void {
    this.#parts.derived.kv.commit(batch.end());
    this.#wasGone = false;
  }
}

const TENTHS = 10n;

/** Lets whatever waits for the thread go first. */
function aTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
