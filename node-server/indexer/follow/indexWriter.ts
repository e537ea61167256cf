/** Writer of the index: the chain follower over the derived tables, and the log of observations beside it. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BlockHash, TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NodeEvent } from "../../engine/host/engineHost.ts";
import { componentLog, type Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Kv } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { openStore } from "../../storage/openStore.ts";
import type { BlockSource } from "../derive/readBlock.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { blockRowOf } from "../tables/derivedTables.ts";
import { DERIVED_LAYOUT, OBSERVED_LAYOUT } from "../tables/indexLayout.ts";
import { DerivedStore } from "./derivedStore.ts";
import { IndexFollower, type FollowerState } from "./indexFollower.ts";
import { Observations } from "./observations.ts";
import type { OpenBlocks } from "./openBlocks.ts";
import { ReorgLog } from "./reorgLog.ts";

/** Dependencies of the writer. */
export type IndexWriterParts = {
  /** Folder of the network's data; null in memory. */
  readonly folder: string | null;
  /** Throws the derived tables away first. */
  readonly isRebuilt: boolean;
  /** Milliseconds of the chain that the derived tables keep; null: everything. */
  readonly keptMs: bigint | null;
  readonly source: BlockSource;
  /** Hears every durable fact of the engine in order; the returned call ends it. */
  readonly onEvent: (listener: (event: NodeEvent) => void) => () => void;
  /** The chain is not being caught up with: what comes now is new. */
  readonly isSynced: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** Folder of the index in that of a network's data. */
const FOLDER = "index";

/** The writers and their databases. */
export class IndexWriter {
  readonly #parts: IndexWriterParts;
  readonly #root: string | null;
  readonly #log: Log;
  readonly derived: DerivedStore;
  readonly #follower: IndexFollower;
  #observed: Kv = new MemoryKv();
  #observations: Observations | null = null;
  #reorgs: ReorgLog | null = null;
  #ends: (() => void)[] = [];

  constructor(parts: IndexWriterParts) {
    const { folder, log, clock, source, keptMs } = parts;
    this.#parts = parts;
    this.#log = componentLog(log, "index");
    this.#root = folder === null ? null : join(folder, FOLDER);
    this.derived = new DerivedStore({ root: this.#root, log: this.#log });
    this.#follower = new IndexFollower({
      derived: this.derived,
      source,
      clock,
      log: this.#log,
      keptMs,
    });
  }

  /** What this node saw. */
  get observed(): Kv {
    return this.#observed;
  }

  /** Blocks that are not merged. */
  get open(): OpenBlocks {
    return this.#follower.open;
  }

  /** How far the derived tables are. */
  state(): FollowerState {
    return this.#follower.state();
  }

  /** The derived tables are at the sink, or about to be. */
  get isCurrent(): boolean {
    const { behind, hasSettled, isRebuilding, problem } = this.state();
    const isNear = behind <= INDEXER_LIMITS.indexLagBlocks;
    return isNear && hasSettled && !isRebuilding && problem === null;
  }

  /** Resolves when the tables are next at the sink. */
  get caughtUp(): Promise<void> {
    return this.#follower.caughtUp;
  }

  /** Opens the databases and begins. Rejects with `store/read-failed` and its kin. */
  async start(): Promise<void> {
    const { source, clock, isRebuilt, onEvent } = this.#parts;
    if (isRebuilt && this.#root !== null) {
      rmSync(join(this.#root, DERIVED_LAYOUT.name), { recursive: true, force: true });
    }
    await this.derived.open();
    this.#observed = await this.#openObserved();
    const engine = source.engine;
    const observations = new Observations({ kv: this.#observed, engine, clock, log: this.#log });
    this.#observations = observations;
    const reorgs = this.#reorgLog(observations);
    this.#reorgs = reorgs;
    observations.start();
    reorgs.start();
    this.#ends = [onEvent((event) => this.#hear(event, { observations, reorgs }))];
    this.#follower.start();
  }

  /** Ends following, writes what waits, and closes the databases. Calling it again does nothing. */
  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await this.#follower.stop();
    await this.#reorgs?.stop();
    await this.#observations?.stop();
    await this.derived.close();
    await this.#observed.close();
  }

  /** A peer was the first to deliver a block. `net`: its subnetwork, masked. */
  noteRelay(hash: BlockHash, net: string): void {
    if (this.#parts.isSynced()) this.#observations?.noteRelay(hash, net);
  }

  /** A transaction began to wait in the open. */
  noteWaiting(txid: TxId): void {
    this.#observations?.noteSeen(txid);
  }

  /** A row of the derived tables is damaged: they are made anew. */
  distrust(error: SvcError): void {
    this.#follower.distrust(error);
  }

  /** Resolves when everything that was observed is written. */
  async written(): Promise<void> {
    await this.#reorgs?.written();
    await this.#observations?.written();
  }

  #reorgLog(observations: Observations): ReorgLog {
    const { source, clock, isSynced } = this.#parts;
    const { engine } = source;
    const onPossiblyNew = (blocks: readonly BlockHash[]): void => {
      for (const hash of blocks) if (!this.#hasMet(hash)) observations.noteSeen(hash);
    };
    const parts = { kv: this.#observed, engine, clock, log: this.#log };
    return new ReorgLog({ ...parts, isSynced, onPossiblyNew });
  }

  /** Whether the index has taken a block in. What was caught up with has no first sighting, and gets none later. */
  #hasMet(hash: BlockHash): boolean {
    if (this.open.get(hash) !== undefined) return true;
    try {
      return blockRowOf(this.derived.kv, hash) !== undefined;
    } catch {
      // The tables are made anew: nothing can be told from them.
      return true;
    }
  }

  #hear(
    event: NodeEvent,
    { observations, reorgs }: { readonly observations: Observations; readonly reorgs: ReorgLog },
  ): void {
    if (event.type === "blockAdded" && this.#parts.isSynced()) observations.noteSeen(event.hash);
    if (event.type === "engineRestarted") reorgs.noteRestart();
    if (event.type === "virtualChanged") reorgs.noteChange(event);
    if (event.type === "virtualChanged" && !event.last) return;
    this.#follower.wake();
  }

  /** A damaged one is put aside, where somebody may look into it, and another begins. */
  async #openObserved(): Promise<Kv> {
    const root = this.#root;
    try {
      return (await openStore(root, OBSERVED_LAYOUT)).store;
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (root === null || !SvcError.is(error, "store/damaged", "store/corrupt")) throw error;
      const aside = asideName(join(root, OBSERVED_LAYOUT.name));
      renameSync(join(root, OBSERVED_LAYOUT.name), aside);
      this.#log.warn({ err: error, aside }, "the observed tables cannot be read and are put aside");
      return (await openStore(root, OBSERVED_LAYOUT)).store;
    }
  }
}

function asideName(path: string): string {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number += 1;
  return `${path}.damaged-${number}`;
}
