/** Disk space monitor: warns while there is little room on the disk of the data, and ends the node before there is none. */
import { statfs } from "node:fs/promises";
import { APP_LIMITS } from "../appLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { noRoomError } from "../../storage/diskSpace.ts";

const MIB = 1024 * 1024;

/** Dependencies of the monitor. */
export type DiskSpaceMonitorParts = {
  /** Folder of the network's databases. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "info">;
  /** Ends the node in good order; called once. */
  readonly onOutOfRoom: (error: SvcError) => void;
};

/** The monitor of one node. Between two of its checks each commit checks for itself. */
export class DiskSpaceMonitor {
  readonly #parts: DiskSpaceMonitorParts;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Bytes that were left at the last look. */
  #free = Infinity;
  /** Bytes that were left when it was last warned of. */
  #warned = Infinity;

  constructor(parts: DiskSpaceMonitorParts) {
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

  /** `store/low-room` while little is left. */
  warnings(): readonly SvcError[] {
    if (this.#free >= APP_LIMITS.diskWarnBytes) return [];
    const freeMib = Math.floor(this.#free / MIB);
    return [new SvcError("store/low-room", { freeMib, stopMib: APP_LIMITS.diskStopBytes / MIB })];
  }

  async #run(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (await this.#look()) return;
      await clock.sleep(APP_LIMITS.diskLookMs, signal).catch(() => undefined);
    }
  }

  /** Returns whether the node ends for it. */
  async #look(): Promise<boolean> {
    const { folder, onOutOfRoom } = this.#parts;
    // A folder that is gone is noticed by who writes into it.
    const found = await statfs(folder).catch(() => undefined);
    if (found === undefined) return false;
    this.#free = found.bavail * found.bsize;
    this.#tell();
    if (this.#free >= APP_LIMITS.diskStopBytes) return false;
    onOutOfRoom(noRoomError(folder, this.#free, APP_LIMITS.diskStopBytes));
    return true;
  }

  /** At the bound and whenever half of what was left is gone: a few lines, however slowly a disk fills. */
  #tell(): void {
    const { folder, log } = this.#parts;
    const freeMib = Math.floor(this.#free / MIB);
    if (this.#free >= APP_LIMITS.diskWarnBytes) {
      if (this.#warned !== Infinity) log.info({ folder, freeMib }, "the disk has room again");
      this.#warned = Infinity;
    } else if (this.#free * 2 <= this.#warned) {
      this.#warned = this.#free;
      const stopMib = APP_LIMITS.diskStopBytes / MIB;
      log.warn(
        { folder, freeMib, stopMib },
        "the disk that holds the data is nearly full; the node stops before it is",
      );
    }
  }
}
