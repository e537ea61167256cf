/** Database size monitor: warns before a database has filled the address space that is reserved for it. */
import { stat } from "node:fs/promises";
import { APP_LIMITS } from "../appLimits.ts";
import { STORAGE_LIMITS } from "../../storage/storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { databaseFile } from "../../storage/openStore.ts";
import { CONSENSUS_LAYOUT, META_LAYOUT, type DatabaseLayout } from "../../storage/layout.ts";

/** Dependencies of the monitor. */
export type DatabaseSizeMonitorParts = {
  /** Folder of the network's databases. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Checks at intervals how large the databases' files are. They never shrink, and pages that were freed are used again, so the
 * size is the most that was ever needed at once.
 */
export class DatabaseSizeMonitor {
  readonly #parts: DatabaseSizeMonitorParts;
  readonly #stop = new AbortController();
  /** Part of the room that was last warned of, in percent, by database. */
  readonly #warned = new Map<string, number>();
  /** Part of the room at the last look, in percent, by database. */
  readonly #filled = new Map<string, number>();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: DatabaseSizeMonitorParts) {
    this.#parts = parts;
  }

  /** Begins to look. */
  start(): void {
    this.#running = this.#run();
  }

  /** Ends looking. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** `store/low-map` for each database that is nearly full. */
  warnings(): readonly SvcError[] {
    return [...this.#filled]
      .filter(([, percent]) => percent >= APP_LIMITS.roomWarnPercent)
      .map(([database, percent]) => new SvcError("store/low-map", { database, percent }));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#look(CONSENSUS_LAYOUT);
      await this.#look(META_LAYOUT);
      await this.#parts.clock.sleep(APP_LIMITS.roomLookMs, signal).catch(() => undefined);
    }
  }

  async #look({ name }: DatabaseLayout): Promise<void> {
    const { folder, log } = this.#parts;
    // While a store takes the place of another there is none for a moment.
    const file = await stat(databaseFile(folder, name)).catch(() => undefined);
    if (file === undefined) return;
    const percent = Math.floor((file.size * 100) / STORAGE_LIMITS.lmdbMapBytes);
    this.#filled.set(name, percent);
    const warned = this.#warned.get(name) ?? APP_LIMITS.roomWarnPercent - APP_LIMITS.roomWarnStep;
    if (percent < warned + APP_LIMITS.roomWarnStep) return;
    this.#warned.set(name, percent);
    log.warn(
      { database: name, bytes: file.size, room: STORAGE_LIMITS.lmdbMapBytes, percent },
      "a database fills the room reserved for it; the node stops when it is full",
    );
  }
}
