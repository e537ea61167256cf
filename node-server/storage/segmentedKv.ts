/**
 * A store whose large tables keep values above `LIMITS.segmentValueBytes` in segment files.
 *
 * Value of a large table in the inner store = 0x00 ‖ bytes, or 0x01 ‖ segment u32 ‖ offset u32 ‖ length u32
 * (little endian). A commit first appends and flushes the payloads, then commits locators and the new tail
 * together, so a reader never sees a locator without its bytes. Space of deleted values is given back when
 * a whole segment is no longer referenced, not value by value.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { Kv, KvChange, KvPair, KvRange, KvReader } from "./kv.ts";
import { HOST_TABLE, SEGMENT_TAIL_KEY } from "./layout.ts";
import { EMPTY_TAIL, SegmentFiles, type SegmentLocator, type SegmentTail } from "./segmentFiles.ts";

const INLINE = 0;
const LOCATED = 1;
const LOCATOR_BYTES = 13;

/** The folder of the files, which tables use them, and, for tests, a smaller file size. */
export type SegmentedOptions = {
  readonly folder: string;
  readonly large: ReadonlySet<number>;
  readonly readOnly?: boolean;
  readonly fileBytes?: number;
};

function encodeLocator(locator: SegmentLocator): Uint8Array {
  const bytes = new Uint8Array(LOCATOR_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, LOCATED);
  view.setUint32(1, locator.segment, true);
  view.setUint32(5, locator.offset, true);
  view.setUint32(9, locator.length, true);
  return bytes;
}

function encodeTail(tail: SegmentTail): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, tail.segment, true);
  view.setUint32(4, tail.length, true);
  return bytes;
}

function readTail(store: KvReader): SegmentTail {
  const bytes = store.get(HOST_TABLE, SEGMENT_TAIL_KEY);
  if (bytes === undefined) return EMPTY_TAIL;
  if (bytes.length !== 8)
    throw new SvcError("store/corrupt", { table: "host", reason: "segment tail" });
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { segment: view.getUint32(0, true), length: view.getUint32(4, true) };
}

class SegmentedReader<Inner extends KvReader> implements KvReader {
  protected readonly inner: Inner;
  protected readonly files: SegmentFiles;
  private readonly large: ReadonlySet<number>;

  constructor(inner: Inner, files: SegmentFiles, large: ReadonlySet<number>) {
    this.inner = inner;
    this.files = files;
    this.large = large;
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    const stored = this.inner.get(table, key);
    return stored === undefined || !this.large.has(table) ? stored : this.resolve(stored);
  }

  range(range: KvRange): KvPair[] {
    const pairs = this.inner.range(range);
    if (!this.large.has(range.table)) return pairs;
    return pairs.map(({ key, value }) => ({ key, value: this.resolve(value) }));
  }

  close(): void | Promise<void> {
    return this.inner.close();
  }

  protected isLarge(table: number): boolean {
    return this.large.has(table);
  }

  private resolve(stored: Uint8Array): Uint8Array {
    if (stored[0] === INLINE) return stored.subarray(1);
    if (stored[0] !== LOCATED || stored.length !== LOCATOR_BYTES) {
      throw new SvcError("store/corrupt", { table: "segments", reason: "locator" });
    }
    const view = new DataView(stored.buffer, stored.byteOffset);
    return this.files.read({
      segment: view.getUint32(1, true),
      offset: view.getUint32(5, true),
      length: view.getUint32(9, true),
    });
  }
}

/** A store over `inner` with segment files beside it; closing it closes both. */
export class SegmentedKv extends SegmentedReader<Kv> implements Kv {
  private readonly largeNumbers: ReadonlySet<number>;
  private tail: SegmentTail;

  constructor(inner: Kv, options: SegmentedOptions) {
    const tail = readTail(inner);
    const { folder, large, ...rest } = options;
    super(inner, new SegmentFiles(folder, { tail, ...rest }), large);
    this.largeNumbers = large;
    this.tail = tail;
  }

  commit(changes: readonly KvChange[]): void {
    const payloads = changes.flatMap(({ table, value }) =>
      value !== null && this.goesToSegment(table, value) ? [value] : [],
    );
    const before = this.tail;
    try {
      const { locators, tail } = this.files.append(payloads);
      const rewritten = this.rewrite(changes, locators);
      if (payloads.length > 0) {
        rewritten.push({ table: HOST_TABLE, key: SEGMENT_TAIL_KEY, value: encodeTail(tail) });
      }
      this.inner.commit(rewritten);
      this.tail = tail;
    } catch (cause) {
      this.files.rewind(before);
      if (cause instanceof SvcError) throw cause;
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new SvcError("store/commit-failed", { reason: message }, cause);
    }
  }

  snapshot(): KvReader {
    return new SegmentedReader(this.inner.snapshot(), this.files, this.largeNumbers);
  }

  override async close(): Promise<void> {
    this.files.close();
    await this.inner.close();
  }

  private goesToSegment(table: number, value: Uint8Array): boolean {
    return this.isLarge(table) && value.length > LIMITS.segmentValueBytes;
  }

  private rewrite(changes: readonly KvChange[], locators: readonly SegmentLocator[]): KvChange[] {
    let next = 0;
    return changes.map((change) => {
      const { table, key, value } = change;
      if (value === null || !this.isLarge(table)) return change;
      if (!this.goesToSegment(table, value)) {
        const inline = new Uint8Array(value.length + 1);
        inline.set(value, 1);
        return { table, key, value: inline };
      }
      const locator = locators[next];
      next += 1;
      if (locator === undefined) throw new SvcError("internal/unexpected", { message: "locators" });
      return { table, key, value: encodeLocator(locator) };
    });
  }
}
