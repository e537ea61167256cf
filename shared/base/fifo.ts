/**
 * An unbounded first-in first-out queue in constant time for each item, however many there are; `Array.shift` moves all others.
 */

/** Items taken from the front before the space they had is given back. */
const COMPACT_AFTER = 1_024;

/** A queue without a bound of its own: whoever fills it keeps count. */
export class Fifo<T extends object> {
  #items: T[] = [];
  #head = 0;

  /** Items in it. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item at the end. */
  push(item: T): void {
    this.#items.push(item);
  }

  /** The oldest item, which stays; undefined when there is none. */
  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** Takes the oldest item; undefined when there is none. */
  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head >= COMPACT_AFTER && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Forgets all items. */
  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
