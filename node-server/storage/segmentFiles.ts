/**
 * Append-only segment files for large values.
 *
 * Folder → `00000001.seg`, `00000002.seg`, … Record = payload length u32, CRC-32 of the payload u32, payload
 * (little endian). Which files there are and how far each counts is the owner's account
 * (`segmentLedger.ts`), kept in its own commits: a file without an entry, and bytes behind the length in the
 * entry, were never acknowledged or are not needed any more, and go at start.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync } from "node:fs";
import { fstatSync, readSync, readdirSync, statSync, unlinkSync, writevSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { damagedFile, unreadableFile } from "./checkDatabase.ts";
import { syncFolder } from "./durableFolder.ts";
import type { SegmentLocator } from "./segmentLocator.ts";

/** A payload and where it is written. */
export type SegmentWrite = { readonly locator: SegmentLocator; readonly payload: Uint8Array };

/** Bytes of a record before its payload. */
export const RECORD_HEADER_BYTES = 8;

const NAME_FORM = /^(\d{8,10})\.seg$/;

/** Reads and, unless opened read-only, appends to a folder of segment files. */
export class SegmentFiles {
  readonly #folder: string;
  readonly #readOnly: boolean;
  /** Open files, least recently used first. */
  readonly #open = new Map<number, number>();
  /** A file was created and its name may not be on disk yet. */
  #namePending = false;
  #seenFolderChange = 0;

  constructor(folder: string, options: { readOnly?: boolean } = {}) {
    this.#folder = folder;
    this.#readOnly = options.readOnly === true;
    if (!this.#readOnly) mkdirSync(folder, { recursive: true });
  }

  /**
   * Brings the folder to what the account says: removes files it does not name, cuts bytes behind the lengths.
   * Files with a number below `spared` are left and returned instead of removed. Errors: `store/damaged` when a
   * named file is missing or shorter; nothing is changed then.
   */
  settle(account: ReadonlyMap<number, { readonly length: number }>, spared: number): number[] {
    for (const [number, { length }] of account) this.#require(number, length);
    const left: number[] = [];
    for (const name of readdirSync(this.#folder)) {
      const number = Number(NAME_FORM.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(number) || account.has(number)) continue;
      if (number < spared) left.push(number);
      else unlinkSync(join(this.#folder, name));
    }
    for (const [number, { length }] of account) this.#cut(number, length);
    return left;
  }

  /** Writes payloads and flushes them. They count once the owner has committed their locators. */
  write(writes: readonly SegmentWrite[]): void {
    const touched = new Set<number>();
    for (const { locator, payload } of writes) {
      this.#writeRecord(locator, payload);
      touched.add(locator.segment);
    }
    for (const segment of touched) fsyncSync(this.#file(segment, true));
    // A new file's name is durable only after its folder was flushed.
    if (this.#namePending) syncFolder(this.#folder);
    this.#namePending = false;
  }

  /**
   * The payload at a locator. Errors: `store/damaged` when the bytes are missing or others, `store/unreadable` when the
   * system does not give them.
   */
  read(locator: SegmentLocator): Uint8Array {
    const record = new Uint8Array(RECORD_HEADER_BYTES + locator.length);
    const count = this.#readRecord(locator, record);
    const view = new DataView(record.buffer);
    const payload = record.subarray(RECORD_HEADER_BYTES);
    const intact =
      count === record.length &&
      view.getUint32(0, true) === locator.length &&
      view.getUint32(4, true) === crc32(payload);
    if (!intact) {
      throw this.#damaged(locator.segment, `the record at byte ${locator.offset} was changed`);
    }
    return payload;
  }

  /** Removes a file; false when the system does not let it go now (the next `settle` will). */
  remove(segment: number): boolean {
    this.#forget(segment);
    try {
      unlinkSync(this.#path(segment));
      return true;
    } catch (cause) {
      return isMissing(cause);
    }
  }

  /** Closes files that the appender has removed meanwhile: as long as one is open its space is not free. */
  forgetRemoved(): void {
    const change = statSync(this.#folder, { throwIfNoEntry: false })?.mtimeMs;
    if (change === undefined || change === this.#seenFolderChange) return;
    for (const [segment, file] of this.#open) {
      if (fstatSync(file).nlink === 0) this.#forget(segment);
    }
    this.#seenFolderChange = change;
  }

  /** How many files are open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Closes the files; calling it again does nothing. */
  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  #readRecord({ segment, offset }: SegmentLocator, record: Uint8Array): number {
    const file = this.#file(segment, false);
    try {
      return readSync(file, record, 0, record.length, offset - RECORD_HEADER_BYTES);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      // As for `damaged`.
      throw unreadableFile(this.#path(segment), reason, { cause, folder: dirname(this.#folder) });
    }
  }

  #writeRecord(locator: SegmentLocator, payload: Uint8Array): void {
    const header = new Uint8Array(RECORD_HEADER_BYTES);
    const view = new DataView(header.buffer);
    view.setUint32(0, payload.length, true);
    view.setUint32(4, crc32(payload), true);
    const file = this.#file(locator.segment, true);
    const written = writevSync(file, [header, payload], locator.offset - RECORD_HEADER_BYTES);
    if (written !== RECORD_HEADER_BYTES + payload.length) {
      // The owner asks what is left: a full disk is the usual reason.
      throw new Error("the disk took only part of a record");
    }
  }

  #require(segment: number, length: number): void {
    const found = statSync(this.#path(segment), { throwIfNoEntry: false });
    if (found === undefined) throw this.#damaged(segment, "it is missing");
    if (found.size < length) {
      throw this.#damaged(segment, `it is cut short: it has ${found.size} bytes of ${length}`);
    }
  }

  #cut(segment: number, length: number): void {
    if (statSync(this.#path(segment)).size === length) return;
    const file = this.#file(segment, false);
    ftruncateSync(file, length);
    fsyncSync(file);
  }

  #path(segment: number): string {
    return join(this.#folder, `${String(segment).padStart(8, "0")}.seg`);
  }

  #file(segment: number, create: boolean): number {
    const known = this.#open.get(segment);
    if (known !== undefined) {
      this.#open.delete(segment);
      this.#open.set(segment, known);
      return known;
    }
    const file = this.#openFile(segment, create);
    this.#open.set(segment, file);
    for (const [oldest, descriptor] of this.#open) {
      if (this.#open.size <= STORAGE_LIMITS.segmentOpenFiles) break;
      closeSync(descriptor);
      this.#open.delete(oldest);
    }
    return file;
  }

  #openFile(segment: number, create: boolean): number {
    const path = this.#path(segment);
    try {
      // "r+" does not create.
      return this.#openAt(path, this.#readOnly ? "r" : "r+");
    } catch (cause) {
      if (isOutOfDescriptors(cause)) throw noDescriptor(create, cause);
      if (!create || !isMissing(cause)) throw this.#damaged(segment, "it cannot be opened", cause);
    }
    const file = this.#openAt(path, "wx+");
    this.#namePending = true;
    return file;
  }

  /** Where the process has no descriptor left, those of files that are not read now are given up. */
  #openAt(path: string, flags: string): number {
    try {
      return openSync(path, flags);
    } catch (cause) {
      if (!isOutOfDescriptors(cause) || this.#open.size === 0) throw cause;
      this.close();
      return openSync(path, flags);
    }
  }

  #forget(segment: number): void {
    const file = this.#open.get(segment);
    if (file === undefined) return;
    this.#open.delete(segment);
    closeSync(file);
  }

  #damaged(segment: number, reason: string, cause?: unknown): SvcError {
    // A segment file is nothing without the database beside its folder.
    return damagedFile(this.#path(segment), reason, { cause, folder: dirname(this.#folder) });
  }
}

/** Nothing is wrong with the file. */
function noDescriptor(writes: boolean, cause: unknown): SvcError {
  const reason = "too many open files";
  return new SvcError(writes ? "store/commit-failed" : "store/read-failed", { reason }, cause);
}

function isOutOfDescriptors(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && /^E[MN]FILE$/.test(String(cause.code));
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
