/**
 * Append-only files for large values.
 *
 * Folder → `00000001.seg`, `00000002.seg`, … of at most `LIMITS.segmentFileBytes`. Record = payload length u32,
 * CRC-32 of the payload u32, payload (little endian). The owner keeps the tail (file number and length) in
 * its own commit; whatever lies behind the recorded tail was never acknowledged and is cut at start.
 */
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync } from "node:fs";
import { fstatSync, readSync, readdirSync, unlinkSync, writevSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";

/** End of the acknowledged bytes: everything before it is durable. */
export type SegmentTail = { readonly segment: number; readonly length: number };

/** Where a payload lies. */
export type SegmentLocator = {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
};

const HEADER_BYTES = 8;
const NAME_FORM = /^(\d{8})\.seg$/;

/** The tail of a folder that holds nothing yet. */
export const EMPTY_TAIL: SegmentTail = { segment: 1, length: 0 };

/** Reader and, unless opened read-only, the one appender of a folder of segment files. */
export class SegmentFiles {
  private readonly folder: string;
  private readonly readOnly: boolean;
  private readonly fileBytes: number;
  /** Open files, least recently used first. */
  private readonly open = new Map<number, number>();
  /** Where the next append goes; runs ahead of the acknowledged tail between `append` and its commit. */
  private tail: SegmentTail;

  constructor(
    folder: string,
    options: { tail: SegmentTail; readOnly?: boolean; fileBytes?: number },
  ) {
    this.folder = folder;
    this.readOnly = options.readOnly === true;
    this.fileBytes = options.fileBytes ?? LIMITS.segmentFileBytes;
    this.tail = options.tail;
    if (!this.readOnly) {
      mkdirSync(folder, { recursive: true });
      this.cut();
    }
  }

  /**
   * Appends payloads and flushes them; they count only once the owner has committed `tail`.
   * After a failed commit call [`rewind`]: the next append overwrites what was never acknowledged.
   */
  append(payloads: readonly Uint8Array[]): { locators: SegmentLocator[]; tail: SegmentTail } {
    const touched = new Set<number>();
    const locators = payloads.map((payload) => {
      const locator = this.place(payload.length);
      this.write(locator, payload);
      touched.add(locator.segment);
      this.tail = { segment: locator.segment, length: locator.offset + payload.length };
      return locator;
    });
    for (const segment of touched) fsyncSync(this.file(segment));
    if (touched.size > 0) this.syncFolder();
    return { locators, tail: this.tail };
  }

  /** Takes the tail back to the last acknowledged one. */
  rewind(tail: SegmentTail): void {
    this.tail = tail;
  }

  /** The payload at a locator. Errors: `store/corrupt` when the bytes are missing or damaged. */
  read(locator: SegmentLocator): Uint8Array {
    const record = new Uint8Array(HEADER_BYTES + locator.length);
    const file = this.file(locator.segment);
    const count = readSync(file, record, 0, record.length, locator.offset - HEADER_BYTES);
    const view = new DataView(record.buffer);
    const payload = record.subarray(HEADER_BYTES);
    const intact =
      count === record.length &&
      view.getUint32(0, true) === locator.length &&
      view.getUint32(4, true) === crc32(payload);
    if (!intact) {
      throw new SvcError("store/corrupt", {
        table: "segments",
        reason: `segment ${locator.segment} at ${locator.offset}`,
      });
    }
    return payload;
  }

  /** Closes the files; calling it again does nothing. */
  close(): void {
    for (const file of this.open.values()) closeSync(file);
    this.open.clear();
  }

  private place(length: number): SegmentLocator {
    const { segment, length: used } = this.tail;
    const fits = used === 0 || used + HEADER_BYTES + length <= this.fileBytes;
    return fits
      ? { segment, offset: used + HEADER_BYTES, length }
      : { segment: segment + 1, offset: HEADER_BYTES, length };
  }

  private write(locator: SegmentLocator, payload: Uint8Array): void {
    const header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(header.buffer);
    view.setUint32(0, payload.length, true);
    view.setUint32(4, crc32(payload), true);
    const file = this.file(locator.segment);
    const written = writevSync(file, [header, payload], locator.offset - HEADER_BYTES);
    if (written !== HEADER_BYTES + payload.length) {
      throw new SvcError("store/commit-failed", { reason: "the disk took only part of a record" });
    }
  }

  private path(segment: number): string {
    return join(this.folder, `${String(segment).padStart(8, "0")}.seg`);
  }

  private file(segment: number): number {
    const known = this.open.get(segment);
    if (known !== undefined) {
      this.open.delete(segment);
      this.open.set(segment, known);
      return known;
    }
    const file = this.openFile(segment);
    this.open.set(segment, file);
    for (const [oldest, descriptor] of this.open) {
      if (this.open.size <= LIMITS.segmentOpenFiles) break;
      closeSync(descriptor);
      this.open.delete(oldest);
    }
    return file;
  }

  private openFile(segment: number): number {
    const path = this.path(segment);
    // "r+" does not create; the appender creates the file that its tail has just moved to.
    const writable = !this.readOnly && segment >= this.tail.segment;
    try {
      return openSync(path, writable ? "r+" : "r");
    } catch (cause) {
      if (!writable || !isMissing(cause)) {
        throw new SvcError(
          "store/corrupt",
          { table: "segments", reason: `segment ${segment}` },
          cause,
        );
      }
      return openSync(path, "wx+");
    }
  }

  /** Drops the torn end: bytes behind the tail and later files. A file shorter than the tail is damage. */
  private cut(): void {
    for (const name of readdirSync(this.folder)) {
      const number = Number(NAME_FORM.exec(name)?.[1] ?? 0);
      if (number > this.tail.segment) unlinkSync(join(this.folder, name));
    }
    if (this.tail.length === 0 && this.tail.segment === EMPTY_TAIL.segment) {
      this.truncateIfPresent();
      return;
    }
    const file = this.file(this.tail.segment);
    if (fstatSync(file).size < this.tail.length) {
      throw new SvcError("store/corrupt", {
        table: "segments",
        reason: `segment ${this.tail.segment} is cut short`,
      });
    }
    ftruncateSync(file, this.tail.length);
    fsyncSync(file);
  }

  private truncateIfPresent(): void {
    try {
      unlinkSync(this.path(EMPTY_TAIL.segment));
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
    }
  }

  /** A new file's name is durable only after its folder was flushed. */
  private syncFolder(): void {
    const folder = openSync(this.folder, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
