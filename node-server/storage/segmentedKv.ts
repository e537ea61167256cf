/**
 * A key-value store that keeps large values (above `STORAGE_LIMITS.segmentValueBytes`) in segment files.
 *
 * A commit first writes and flushes the payloads, then commits rows, locators and the account of the files
 * together, so a reader never sees a locator without its bytes. The commit that takes the last reference out
 * of a file strikes the file from the account; it is removed as soon as no reader in any thread or process
 * looks at an older commit, or at the next start.
 */
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { DiskSpace } from "./diskSpace.ts";
import type { BaseKv, Kv, KvChange, KvPair, KvRange, KvReader } from "./kv.ts";
import { RECORD_HEADER_BYTES, SegmentFiles, type SegmentWrite } from "./segmentFiles.ts";
import { SegmentRefCounts, type SegmentDraft } from "./segmentRefCounts.ts";
import { inlineRow, locatedRow, readRow } from "./segmentLocator.ts";

/**
 * Settings: the folder of the files, which tables use them, and, for tests, a smaller file size and what else no commit may
 * take.
 */
export type SegmentedOptions = {
  readonly folder: string;
  readonly large: ReadonlySet<number>;
  readonly readOnly?: boolean;
  readonly fileBytes?: number;
  readonly reserveBytes?: number;
};

class SegmentedReader<Inner extends KvReader> implements KvReader {
  protected readonly inner: Inner;
  protected readonly files: SegmentFiles;
  protected readonly large: ReadonlySet<number>;

  constructor(inner: Inner, files: SegmentFiles, large: ReadonlySet<number>) {
    this.inner = inner;
    this.files = files;
    this.large = large;
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    const stored = this.inner.get(table, key);
    return stored === undefined || !this.large.has(table) ? stored : this.#resolve(stored);
  }

  range(range: KvRange): KvPair[] {
    const pairs = this.inner.range(range);
    if (!this.large.has(range.table)) return pairs;
    return pairs.map(({ key, value }) => ({ key, value: this.#resolve(value) }));
  }

  close(): void | Promise<void> {
    return this.inner.close();
  }

  #resolve(stored: Uint8Array): Uint8Array {
    const row = readRow(stored);
    return "value" in row ? row.value : this.files.read(row.locator);
  }
}

/** bytes. Beside a payload: its header, and what is left of the last block of a file system. */
const RECORD_BYTES = RECORD_HEADER_BYTES + 4096;

/** A file that the commit of this number has struck from the account. */
type Retired = { readonly segment: number; readonly commit: number };

/** A store over `inner` with segment files beside it; closing it closes both. */
export class SegmentedKv extends SegmentedReader<BaseKv> implements Kv {
  /** `null` when opened for reading. */
  readonly #ledger: SegmentRefCounts | null;
  readonly #fileBytes: number;
  readonly #room: DiskSpace;
  #retired: readonly Retired[] = [];
  /** Struck files found at start while somebody was reading; they join `retired` with the next commit. */
  #left: readonly number[] = [];

  constructor(inner: BaseKv, options: SegmentedOptions) {
    const { folder, large, readOnly = false } = options;
    const ledger = readOnly ? null : new SegmentRefCounts(inner);
    super(inner, new SegmentFiles(folder, { readOnly }), large);
    this.#ledger = ledger;
    this.#fileBytes = options.fileBytes ?? STORAGE_LIMITS.segmentFileBytes;
    this.#room = new DiskSpace(folder, options.reserveBytes);
    if (ledger === null) return;
    // A reader may have outlived the appender and still look at a commit that needs a struck file.
    const spared = inner.oldestReader() === Infinity ? 0 : ledger.nextNumber();
    this.#left = this.files.settle(ledger.segments(), spared);
  }

  commit(changes: readonly KvChange[]): void {
    let bytes = 0;
    try {
      const ledger = this.#ledger;
      if (ledger === null) throw new Error("opened for reading");
      const draft = ledger.draft(this.#fileBytes);
      const { rows, writes } = this.#plan(changes, draft);
      bytes = writtenBytes(writes);
      if (bytes > 0) this.#room.require(bytes);
      this.files.write(writes);
      this.inner.commit([...rows, ...draft.changes()]);
      this.#adopt(ledger, draft);
    } catch (cause) {
      throw this.#room.explain(cause, bytes);
    }
  }

  snapshot(): KvReader {
    // Beside the appender nobody else tells that a file is gone.
    if (this.#ledger === null) this.files.forgetRemoved();
    return new SegmentedReader(this.inner.snapshot(), this.files, this.large);
  }

  /** How many segment files are open. */
  get openFiles(): number {
    return this.files.openCount;
  }

  override async close(): Promise<void> {
    this.files.close();
    await this.inner.close();
  }

  /** The rows of a batch as the inner store gets them, the payloads to write, and both in the account. */
  #plan(
    changes: readonly KvChange[],
    draft: SegmentDraft,
  ): { rows: KvChange[]; writes: SegmentWrite[] } {
    const rows: KvChange[] = [];
    const writes: SegmentWrite[] = [];
    for (const change of this.#lastOfEach(changes)) {
      const { table, key, value } = change;
      if (!this.large.has(table)) {
        rows.push(change);
        continue;
      }
      this.#release(table, key, draft);
      if (value === null) rows.push(change);
      else if (value.length <= STORAGE_LIMITS.segmentValueBytes) {
        rows.push({ table, key, value: inlineRow(value) });
      } else {
        const locator = draft.place(table, value.length);
        writes.push({ locator, payload: value });
        rows.push({ table, key, value: locatedRow(locator) });
      }
    }
    return { rows, writes };
  }

  /** Without changes of large tables that a later one of the same key replaces: each row is counted once. */
  #lastOfEach(changes: readonly KvChange[]): readonly KvChange[] {
    const last = new Map<string, KvChange>();
    let large = 0;
    for (const change of changes) {
      if (!this.large.has(change.table)) continue;
      last.set(rowName(change), change);
      large += 1;
    }
    if (last.size === large) return changes;
    return changes.filter(
      (change) => !this.large.has(change.table) || last.get(rowName(change)) === change,
    );
  }

  #release(table: number, key: Uint8Array, draft: SegmentDraft): void {
    const stored = this.inner.get(table, key);
    if (stored === undefined) return;
    const row = readRow(stored);
    if ("locator" in row) draft.release(row.locator);
  }

  #adopt(ledger: SegmentRefCounts, draft: SegmentDraft): void {
    ledger.adopt(draft);
    const commit = this.inner.lastCommit();
    const struck = [...this.#left, ...draft.outcome().retired];
    this.#left = [];
    this.#retired = [...this.#retired, ...struck.map((segment) => ({ segment, commit }))];
    if (this.#retired.length === 0) return;
    const oldest = this.inner.oldestReader();
    // What cannot be removed now is tried again after the next commit.
    this.#retired = this.#retired.filter(
      (row) => row.commit > oldest || !this.files.remove(row.segment),
    );
  }
}

/** The most that payloads take on the disk: each may begin a file of its own. */
function writtenBytes(writes: readonly SegmentWrite[]): number {
  return writes.reduce((sum, { payload }) => sum + RECORD_BYTES + payload.length, 0);
}

function rowName({ table, key }: KvChange): string {
  return `${table}:${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1")}`;
}
