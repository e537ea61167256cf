/** LRU cache: a map that drops its least recently used entries once their number or weight outgrows a bound. */
export class LruMap<K, V> {
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  readonly #entries = new Map<K, V>();
  #weight = 0;

  /**
   * `limit` bounds the sum of the entries' weights; without `weigh` every entry weighs 1.
   * An entry heavier than the whole limit is not kept.
   */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Sum of the weights, never above the limit. */
  get weight(): number {
    return this.#weight;
  }

  /** The value, which becomes the most recently used. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** True when the key is held; its age stays. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Stores a value as the most recently used and drops the oldest until the limit holds. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value);
    if (weight > this.#limit) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) break;
      this.delete(oldest);
    }
  }

  /** Drops an entry; true if there was one. */
  delete(key: K): boolean {
    const value = this.#entries.get(key);
    if (value === undefined) return false;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
    return true;
  }

  /** Drops everything. */
  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
