/**
 * The mempool's content and its indexes: by id, by nullifier, by fee rate. No clock, no engine, no waiting.
 *
 * Invariants: no two entries share a nullifier; count and bytes stay within their bounds; `byRate` holds
 * every entry once, best first.
 */
import type { Nullifier, TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { compareEntries, type MassLimits, type PoolEntry } from "./poolEntry.ts";

/** Size limits of the pool. */
export type PoolBounds = {
  readonly transactions: number;
  readonly bytes: number;
  readonly mass: MassLimits;
};

/** The entries of the pool. */
export class PoolIndex {
  readonly #bounds: PoolBounds;
  readonly #isHidden: (txid: TxId) => boolean;
  readonly #entries = new Map<TxId, PoolEntry>();
  readonly #owners = new Map<Nullifier, TxId>();
  readonly #byRate: PoolEntry[] = [];
  #bytes = 0;

  /** `isHidden`: whether strangers must not learn that a waiting transaction is here. */
  constructor(bounds: PoolBounds, isHidden: (txid: TxId) => boolean = () => false) {
    this.#bounds = bounds;
    this.#isHidden = isHidden;
  }

  /** Waiting transactions. */
  get size(): number {
    return this.#entries.size;
  }

  /** Bytes of their raw forms together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The entry with this id. */
  get(txid: TxId): PoolEntry | undefined {
    return this.#entries.get(txid);
  }

  /** Entries in order of arrival. */
  entries(): IterableIterator<PoolEntry> {
    return this.#entries.values();
  }

  /** Entries, best fee rate first. */
  byRate(): readonly PoolEntry[] {
    return this.#byRate;
  }

  /** The waiting transaction that spends a nullifier. */
  ownerOf(nullifier: Nullifier): TxId | undefined {
    return this.#owners.get(nullifier);
  }

  /**
   * Whether a transaction could be added as far as identity and notes go. Errors: `mempool/duplicate`,
   * `mempool/nullifier-conflict` (under every policy: nothing replaces a waiting spend).
   */
  requireFree(txid: TxId, nullifiers: readonly Nullifier[]): void {
    if (this.#entries.has(txid)) throw new SvcError("mempool/duplicate", { txid });
    this.requireNoShownConflict(nullifiers);
    const nullifier = nullifiers.find((spent) => this.#owners.has(spent));
    if (nullifier !== undefined) throw new SvcError("mempool/nullifier-conflict", { nullifier });
  }

  /** Whether a transaction that is not hidden spends one of these notes. Errors: `mempool/nullifier-conflict`. */
  requireNoShownConflict(nullifiers: readonly Nullifier[]): void {
    for (const nullifier of nullifiers) {
      const owner = this.#owners.get(nullifier);
      if (owner !== undefined && !this.#isHidden(owner)) {
        throw new SvcError("mempool/nullifier-conflict", { nullifier });
      }
    }
  }

  /**
   * Adds an entry and returns those that gave way: the worst fee rates, each below the new one's.
   * Errors: those of `requireFree`, `mempool/full`; the pool is then unchanged.
   */
  add(entry: PoolEntry): PoolEntry[] {
    this.requireFree(entry.txid, entry.nullifiers);
    const evicted = this.#roomFor(entry);
    for (const { txid } of evicted) this.remove(txid);
    this.#entries.set(entry.txid, entry);
    for (const nullifier of entry.nullifiers) this.#owners.set(nullifier, entry.txid);
    this.#byRate.splice(this.#place(entry), 0, entry);
    this.#bytes += entry.raw.length;
    return evicted;
  }

  /** Removes an entry; undefined when there was none. */
  remove(txid: TxId): PoolEntry | undefined {
    const entry = this.#entries.get(txid);
    if (entry === undefined) return undefined;
    this.#entries.delete(txid);
    for (const nullifier of entry.nullifiers) this.#owners.delete(nullifier);
    this.#byRate.splice(this.#place(entry), 1);
    this.#bytes -= entry.raw.length;
    return entry;
  }

  /** Entries that came in before a DAA score, oldest first. */
  addedBefore(daaScore: bigint): PoolEntry[] {
    const old: PoolEntry[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.addedAtDaa < daaScore) old.push(entry);
    }
    return old;
  }

  /** The worst entries that must go for a new one. Errors: `mempool/full` when they are not worse than it. */
  #roomFor(entry: PoolEntry): PoolEntry[] {
    const { transactions, bytes, mass } = this.#bounds;
    const evicted: PoolEntry[] = [];
    let count = this.size + 1;
    let total = this.#bytes + entry.raw.length;
    for (let at = this.#byRate.length - 1; count > transactions || total > bytes; at -= 1) {
      const worst = this.#byRate[at];
      if (worst === undefined || compareEntries(entry, worst, mass) >= 0) {
        throw new SvcError("mempool/full", { count: this.size, max: transactions });
      }
      evicted.push(worst);
      count -= 1;
      total -= worst.raw.length;
    }
    return evicted;
  }

  /** Where an entry is, or would be, in the order of fee rates. */
  #place(entry: PoolEntry): number {
    let low = 0;
    let high = this.#byRate.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#byRate[middle];
      if (other !== undefined && compareEntries(other, entry, this.#bounds.mass) < 0)
        low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
