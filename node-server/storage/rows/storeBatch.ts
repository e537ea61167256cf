/**
 * The changes of one logical step. They are read back within the step, and nobody else sees them before all of them are on
 * disk.
 */
import { compareBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { KvChange, KvPair, KvRange } from "../kv.ts";
import type { StoreReader } from "./storeKeys.ts";

/** A batch; it lives as long as the step that `StoreSteps.commit` runs. */
export class StoreBatch implements StoreReader {
  /** The number that this commit will have if it changes anything. */
  readonly sequence: bigint;
  readonly #store: StoreReader;
  readonly #changes = new Map<string, KvChange>();
  #isOpen = true;

  constructor(store: StoreReader, sequence: bigint) {
    this.#store = store;
    this.sequence = sequence;
  }

  /** The value as this step leaves it. */
  get(table: number, key: Uint8Array): Uint8Array | undefined {
    const change = this.#changes.get(nameOf(table, key));
    return change === undefined ? this.#store.get(table, key) : (change.value ?? undefined);
  }

  /** The pairs as this step leaves them. */
  range(range: KvRange): KvPair[] {
    const inside = [...this.#changes.values()].filter(
      ({ table, key }) =>
        table === range.table &&
        compareBytes(range.from, key) <= 0 &&
        compareBytes(key, range.to) < 0,
    );
    if (inside.length === 0) return this.#store.range(range);
    const stored = this.#store.range({ ...range, limit: range.limit + inside.length });
    const pairs = stored.filter(({ key }) => !this.#changes.has(nameOf(range.table, key)));
    for (const { key, value } of inside) if (value !== null) pairs.push({ key, value });
    const sign = range.reverse === true ? -1 : 1;
    return pairs.toSorted((a, b) => sign * compareBytes(a.key, b.key)).slice(0, range.limit);
  }

  /** Sets a value; null deletes the key. Throws `internal/unexpected` after the step. */
  put(table: number, key: Uint8Array, value: Uint8Array | null): void {
    if (!this.#isOpen) {
      throw new SvcError("internal/unexpected", { message: "a batch is written after its commit" });
    }
    this.#changes.set(nameOf(table, key), { table, key, value });
  }

  /** True while nothing is changed. */
  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** Number of rows that are changed. */
  get size(): number {
    return this.#changes.size;
  }

  /** Takes over the changes of a batch on top of this one. */
  add(changes: readonly KvChange[]): void {
    for (const { table, key, value } of changes) this.put(table, key, value);
  }

  /** Ends the batch and gives its changes. */
  end(): readonly KvChange[] {
    this.#isOpen = false;
    return [...this.#changes.values()];
  }
}

function nameOf(table: number, key: Uint8Array): string {
  return `${table}:${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1")}`;
}
