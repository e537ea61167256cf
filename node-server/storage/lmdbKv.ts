/**
 * The key-value store on disk: one LMDB environment per database, key = table byte ‖ key.
 *
 * `overlappingSync: false`, so a batch is flushed before `commit` returns: what was acknowledged survives
 * a killed process. One thread writes; other threads and processes may read with `readOnly`.
 */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { open, type RootDatabase } from "lmdb";
import { unreadableFile } from "./checkDatabase.ts";
import { commitBytes, DiskSpace } from "./diskSpace.ts";
import {
  checkKey,
  type BaseKv,
  type KvChange,
  type KvPair,
  type KvRange,
  type KvReader,
} from "./kv.ts";

type Environment = RootDatabase<Uint8Array, Uint8Array>;
type ReadTransaction = ReturnType<Environment["useReadTransaction"]>;

/**
 * Settings of a database: where it lies, how it is opened, and, for tests, less room: what no commit may take, and all there
 * is.
 */
export type LmdbOptions = {
  readonly path: string;
  readonly readOnly?: boolean;
  readonly reserveBytes?: number;
  readonly mapBytes?: number;
};

/** LMDB's file in a database's folder. */
const DATA_FILE = "data.mdb";
const MIB = 1024 * 1024;

function fullKey(table: number, key: Uint8Array): Uint8Array {
  checkKey(key);
  const full = new Uint8Array(key.length + 1);
  full[0] = table;
  full.set(key, 1);
  return full;
}

function readRange(
  environment: Environment,
  range: KvRange,
  transaction?: ReadTransaction,
): KvPair[] {
  const from = fullKey(range.table, range.from);
  const to = fullKey(range.table, range.to);
  if (range.limit <= 0 || Buffer.compare(from, to) >= 0) return [];
  const bounds =
    range.reverse === true
      ? { start: to, end: from, reverse: true, exclusiveStart: true, inclusiveEnd: true }
      : { start: from, end: to };
  const pairs: KvPair[] = [];
  const options = transaction === undefined ? {} : { transaction };
  for (const { key, value } of environment.getRange({
    ...bounds,
    ...options,
    limit: range.limit,
  })) {
    pairs.push({ key: new Uint8Array(key.subarray(1)), value: new Uint8Array(value) });
  }
  return pairs;
}

/** The library returns a copy, which may lie in a pool of its own; the contract promises bytes of the caller's own. */
function ownBytes(value: Uint8Array | undefined): Uint8Array | undefined {
  if (value === undefined) return undefined;
  const { buffer, byteLength } = value;
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(value);
}

class LmdbSnapshot implements KvReader {
  readonly #environment: Environment;
  readonly #file: string;
  readonly #released: () => void;
  #transaction: ReadTransaction | null;

  /** `file` is the one that is read; `released` is called when the transaction has been given back. */
  constructor(environment: Environment, file: string, released: () => void) {
    this.#environment = environment;
    this.#file = file;
    this.#released = released;
    // The thread's shared read transaction may still be at an older commit.
    environment.resetReadTxn();
    this.#transaction = environment.useReadTransaction();
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    const transaction = this.#current();
    return reading(this.#file, () =>
      ownBytes(this.#environment.get(fullKey(table, key), { transaction })),
    );
  }

  range(range: KvRange): KvPair[] {
    const transaction = this.#current();
    return reading(this.#file, () => readRange(this.#environment, range, transaction));
  }

  close(): void {
    if (this.#transaction === null) return;
    this.#transaction.done();
    this.#transaction = null;
    this.#released();
  }

  #current(): ReadTransaction {
    if (this.#transaction === null)
      throw new SvcError("store/read-failed", { reason: "the store is closed" });
    return this.#transaction;
  }
}

/**
 * A database on disk. Errors of the constructor: `store/read-failed`; of `commit` also `store/no-room` when the disk and
 * `store/map-full` when the address space has no room for it.
 */
export class LmdbKv implements BaseKv {
  readonly #environment: Environment;
  readonly #path: string;
  readonly #file: string;
  readonly #mapBytes: number;
  readonly #room: DiskSpace;
  #closed = false;
  #committed = 0;

  constructor(options: LmdbOptions) {
    const { path, mapBytes = STORAGE_LIMITS.lmdbMapBytes } = options;
    this.#path = path;
    this.#file = join(path, DATA_FILE);
    this.#mapBytes = mapBytes;
    this.#room = new DiskSpace(path, options.reserveBytes);
    try {
      if (options.readOnly !== true) mkdirSync(path, { recursive: true });
      this.#environment = open({
        path,
        readOnly: options.readOnly === true,
        encoding: "binary",
        keyEncoding: "binary",
        compression: false,
        cache: false,
        overlappingSync: false,
        noSubdir: false,
        mapSize: mapBytes,
      });
    } catch (cause) {
      throw new SvcError("store/read-failed", { reason: messageOf(cause) }, cause);
    }
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    this.#requireOpen();
    return reading(this.#file, () => ownBytes(this.#environment.get(fullKey(table, key))));
  }

  range(range: KvRange): KvPair[] {
    this.#requireOpen();
    return reading(this.#file, () => readRange(this.#environment, range));
  }

  commit(changes: readonly KvChange[]): void {
    this.#requireOpen();
    const bytes = this.#requireRoom(changes);
    try {
      let number = 0;
      this.#environment.transactionSync(() => {
        number = this.#environment.getWriteTxnId();
        for (const { table, key, value } of changes) {
          if (value === null) this.#environment.removeSync(fullKey(table, key));
          else this.#environment.putSync(fullKey(table, key), value);
        }
      });
      this.#committed = number;
    } catch (cause) {
      throw this.#room.explain(cause, bytes);
    }
  }

  snapshot(): KvReader {
    this.#requireOpen();
    // Without this the thread looks at the snapshot's commit until its next turn.
    return new LmdbSnapshot(this.#environment, this.#file, () => {
      if (!this.#closed) this.#environment.resetReadTxn();
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#environment.close();
  }

  lastCommit(): number {
    return this.#committed;
  }

  oldestReader(): number {
    this.#requireOpen();
    try {
      // Reading slots of killed processes, and this thread's own between two reads, hold nothing.
      this.#environment.readerCheck();
      this.#environment.resetReadTxn();
      return oldestOf(this.#environment.readerList());
    } catch {
      return 0;
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw new SvcError("store/read-failed", { reason: "the store is closed" });
  }

  /** What a commit takes at most. LMDB itself must not come to either bound: the binding takes more address space then. */
  #requireRoom(changes: readonly KvChange[]): number {
    const file = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    const bytes = commitBytes(changes, file);
    if (file + bytes > this.#mapBytes) {
      const roomMib = Math.floor(this.#mapBytes / MIB);
      throw new SvcError("store/map-full", { folder: this.#path, roomMib });
    }
    this.#room.require(bytes);
    return bytes;
  }
}

/** From LMDB's table of readers: a heading, then process, thread, and transaction or "-" a line. */
function oldestOf(readers: string): number {
  let oldest = Infinity;
  for (const line of readers.split("\n")) {
    const [process = "", , transaction = ""] = line.trim().split(/\s+/);
    if (!/^\d+$/.test(process) || transaction === "-") continue;
    // What cannot be read counts as a reader of everything.
    oldest = Math.min(oldest, /^\d+$/.test(transaction) ? Number(transaction) : 0);
  }
  return oldest;
}

/** What LMDB says when a page is not what another one takes it for, and the system when it has none. */
const UNREADABLE = /MDB_(PAGE_NOTFOUND|CORRUPTED|INVALID)|Input\/output error/;

/** What LMDB says while it reads is an error of the store, and of the file where that is what is wrong. */
function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof SvcError) throw cause;
    const reason = messageOf(cause);
    if (UNREADABLE.test(reason)) throw unreadableFile(file, reason, { cause });
    throw new SvcError("store/read-failed", { reason }, cause);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
