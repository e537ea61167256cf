/** The key-value store in memory, for tests and simulation: the same contract, nothing survives the process. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  checkKey,
  type BaseKv,
  type KvChange,
  type KvPair,
  type KvRange,
  type KvReader,
} from "./kv.ts";

/** Keys of a table in byte order beside their values; replaced as a whole when the key set changes. */
type Table = { readonly values: Map<string, Uint8Array>; sorted: string[] | null };

/** Latin-1 text of the bytes: compares like the bytes and can be a map key. */
function keyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1");
}

function keyBytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}

/** Index of the first key that is not below `text`. */
function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const key = sorted[middle];
    if (key !== undefined && key < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

class MemoryReader implements KvReader {
  protected readonly tables: Map<number, Table>;
  #closed = false;

  constructor(tables: Map<number, Table>) {
    this.tables = tables;
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    this.requireOpen();
    return this.tables.get(table)?.values.get(keyText(key))?.slice();
  }

  range(range: KvRange): KvPair[] {
    this.requireOpen();
    const table = this.tables.get(range.table);
    if (table === undefined) return [];
    table.sorted ??= [...table.values.keys()].toSorted();
    const first = lowerBound(table.sorted, keyText(range.from));
    const end = Math.max(first, lowerBound(table.sorted, keyText(range.to)));
    const keys =
      range.reverse === true
        ? table.sorted.slice(Math.max(first, end - range.limit), end).toReversed()
        : table.sorted.slice(first, Math.min(end, first + range.limit));
    return keys.map((key) => ({
      key: keyBytes(key),
      value: table.values.get(key)?.slice() ?? new Uint8Array(),
    }));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  protected requireOpen(): void {
    if (this.#closed) throw new SvcError("store/read-failed", { reason: "the store is closed" });
  }
}

class MemorySnapshot extends MemoryReader {
  readonly #open: Set<MemorySnapshot>;
  readonly commit: number;

  constructor(tables: Map<number, Table>, commit: number, open: Set<MemorySnapshot>) {
    super(tables);
    this.commit = commit;
    this.#open = open;
    open.add(this);
  }

  override async close(): Promise<void> {
    this.#open.delete(this);
    await super.close();
  }
}

/** A store in memory. */
export class MemoryKv extends MemoryReader implements BaseKv {
  readonly #snapshots = new Set<MemorySnapshot>();
  #committed = 0;

  constructor() {
    super(new Map());
  }

  commit(changes: readonly KvChange[]): void {
    this.requireOpen();
    for (const { key } of changes) checkKey(key);
    for (const { table: number, key, value } of changes) {
      const table = this.tables.get(number) ?? { values: new Map(), sorted: null };
      this.tables.set(number, table);
      const text = keyText(key);
      if (value === null) {
        if (table.values.delete(text)) table.sorted = null;
      } else {
        if (!table.values.has(text)) table.sorted = null;
        table.values.set(text, Uint8Array.from(value));
      }
    }
    this.#committed += 1;
  }

  lastCommit(): number {
    return this.#committed;
  }

  oldestReader(): number {
    return Math.min(...[...this.#snapshots].map((snapshot) => snapshot.commit));
  }

  snapshot(): KvReader {
    this.requireOpen();
    const copy = new Map<number, Table>();
    for (const [number, table] of this.tables) {
      copy.set(number, { values: new Map(table.values), sorted: table.sorted });
    }
    return new MemorySnapshot(copy, this.#committed, this.#snapshots);
  }
}
