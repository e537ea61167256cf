/** A fair queue: round-robin among sources, so that however many items one of them has, those of another wait for one round. */
import { Fifo } from "@svc/shared/base/fifo.ts";
import type { WorkSource } from "./workRateLimiter.ts";

/** Bounds of one batch. */
export type BatchBounds<T> = {
  /** Items of all sources together. */
  readonly items: number;
  /** Items of one source. What has no source is this node's own and not bounded by it. */
  readonly perSource: number;
  /** Whether an item still fits behind those it was asked about before; the first is taken whatever it says. */
  readonly fits: (item: T) => boolean;
};

/** A round-robin queue without a bound of its own: whoever fills it asks how many items there are. */
export class FairQueue<T extends object> {
  /** What waits, by source; the first source's turn comes first. No lane is empty. */
  readonly #lanes = new Map<WorkSource | undefined, Fifo<T>>();
  #size = 0;

  /** Items that wait. */
  get size(): number {
    return this.#size;
  }

  /** Items of a source that wait. */
  sizeOf(source: WorkSource | undefined): number {
    return this.#lanes.get(source)?.size ?? 0;
  }

  /** Adds an item behind the others of its source. */
  push(item: T, source: WorkSource | undefined): void {
    const lane = this.#lanes.get(source) ?? new Fifo<T>();
    lane.push(item);
    this.#lanes.set(source, lane);
    this.#size += 1;
  }

  /** Takes a batch: one item of each source in turn, again and again, until a bound is reached. */
  take({ items, perSource, fits }: BatchBounds<T>): T[] {
    const taken: T[] = [];
    for (let round = 0; this.#size > 0; round += 1) {
      const before = taken.length;
      for (const [source, lane] of [...this.#lanes]) {
        if (round >= perSource && source !== undefined) continue;
        const next = lane.peek();
        if (next === undefined || taken.length >= items) return taken;
        if (!fits(next) && taken.length > 0) return taken;
        taken.push(next);
        this.#takeFirst(source, lane);
      }
      if (taken.length === before) return taken;
    }
    return taken;
  }

  /** Takes all items of a source. */
  takeAll(source: WorkSource | undefined): T[] {
    const taken: T[] = [];
    const lane = this.#lanes.get(source);
    for (let next = lane?.shift(); next !== undefined; next = lane?.shift()) taken.push(next);
    this.#size -= taken.length;
    this.#lanes.delete(source);
    return taken;
  }

  /** Removes an item of a source; false when it does not wait. */
  delete(item: T, source: WorkSource | undefined): boolean {
    if (!this.#lanes.has(source)) return false;
    const all = this.takeAll(source);
    for (const other of all) if (other !== item) this.push(other, source);
    return this.sizeOf(source) < all.length;
  }

  /** Forgets all items. */
  clear(): void {
    this.#lanes.clear();
    this.#size = 0;
  }

  /** The source waits behind all others for its next turn. */
  #takeFirst(source: WorkSource | undefined, lane: Fifo<T>): void {
    lane.shift();
    this.#size -= 1;
    this.#lanes.delete(source);
    if (lane.size > 0) this.#lanes.set(source, lane);
  }
}
