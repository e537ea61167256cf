/**
 * Disk space check before each commit: LMDB must not meet a full disk, since the binding may then end the process (decision
 * 31).
 */
import { statfsSync } from "node:fs";
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { KvChange } from "./kv.ts";

const MIB = 1024 * 1024;
/** LMDB's, on every machine that we run on. */
const PAGE_BYTES = 4096;
/** Meta pages, the roots' paths and the list of free pages of one commit. */
const FIXED_BYTES = 64 * PAGE_BYTES;
/** What a system says that stores nothing more: full, over the user's share. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const FULL_TEXT = /No space left on device|Disk quota exceeded/;

/** Free bytes for this user on the disk of a folder. Errors: the system's. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether an error says that a store has no room, which no retry mends: the node ends with it. */
export function isOutOfRoom({ code }: SvcError): boolean {
  return code === "store/no-room" || code === "store/map-full";
}

/** Makes the error that a disk has less left than is needed. */
export function noRoomError(folder: string, free: number, needed: number): SvcError {
  const freeMib = Math.floor(free / MIB);
  return new SvcError("store/no-room", { folder, freeMib, neededMib: Math.ceil(needed / MIB) });
}

/**
 * The most that a commit adds to a database file of this size. Every changed value copies the pages above it, but no
 * more than there are, and may fill new ones; a value larger than a page has pages of its own.
 */
export function commitBytes(changes: readonly KvChange[], fileBytes: number): number {
  const copied = changes.length * STORAGE_LIMITS.storeTreePages * PAGE_BYTES;
  let added = 0;
  for (const { value } of changes) {
    if (value !== null) added += STORAGE_LIMITS.storeSplitPages * PAGE_BYTES + value.length;
  }
  return Math.min(copied, fileBytes) + added + FIXED_BYTES;
}

/** The free space on the disk of one database. */
export class DiskSpace {
  readonly #folder: string;
  readonly #reserveBytes: number;

  /** `reserveBytes` is what no commit may take. */
  constructor(folder: string, reserveBytes: number = STORAGE_LIMITS.diskReserveBytes) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  /** Errors: `store/no-room` when what is to be written could reach into the reserve. */
  require(bytes: number): void {
    const free = freeBytes(this.#folder);
    const needed = bytes + this.#reserveBytes;
    if (free < needed) throw noRoomError(this.#folder, free, needed);
  }

  /**
   * What a failed write of so many bytes comes to: `store/no-room` where the disk is full all the same, as others write to
   * it too, else `store/commit-failed`. LMDB calls a write that was cut short an input/output error: the room that is left
   * tells them apart.
   */
  explain(cause: unknown, bytes: number): SvcError {
    if (cause instanceof SvcError) return cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const free = this.#left();
    const isFull = isFullDisk(cause) || FULL_TEXT.test(message) || (free !== null && free < bytes);
    if (isFull) return noRoomError(this.#folder, free ?? 0, bytes + this.#reserveBytes);
    return new SvcError("store/commit-failed", { reason: message }, cause);
  }

  #left(): number | null {
    try {
      return freeBytes(this.#folder);
    } catch {
      return null;
    }
  }
}

function isFullDisk(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && FULL.has(cause.code);
}
