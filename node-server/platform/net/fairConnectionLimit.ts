/**
 * A connection limit that is fair among hosts: each host has at most so many places, and when all are taken the host with the
 * most gives up the one it has had for longest. So whoever takes many places takes them from itself.
 */

/** The number of places, and how many of them one host may have. */
export type PlaceBounds = { readonly total: number; readonly perHost: number };

/** The outcome of asking for a place; its former holder must be sent away. */
export type Entered<Holder> =
  | { readonly entered: true; readonly evicted: Holder | null }
  | { readonly entered: false };

/** The places and their holders. */
export class FairConnectionLimit<Holder> {
  readonly #bounds: PlaceBounds;
  /** The holders of each host, the oldest first. */
  readonly #held = new Map<string, Set<Holder>>();
  #size = 0;

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  /** Places that are taken. */
  get size(): number {
    return this.#size;
  }

  /** Takes a place for a holder; refused when its host has its share, or when all are taken and no host has more than it. */
  enter(host: string, holder: Holder): Entered<Holder> {
    const own = this.#held.get(host)?.size ?? 0;
    if (own >= this.#bounds.perHost) return { entered: false };
    let evicted: Holder | null = null;
    if (this.#size >= this.#bounds.total) {
      const largest = this.#largest();
      const [oldest] = largest?.holders ?? [];
      if (largest === null || oldest === undefined || largest.holders.size <= own + 1) {
        return { entered: false };
      }
      this.leave(largest.host, oldest);
      evicted = oldest;
    }
    const holders = this.#held.get(host) ?? new Set();
    this.#held.set(host, holders.add(holder));
    this.#size += 1;
    return { entered: true, evicted };
  }

  /** Gives a place back; a holder that has none changes nothing. */
  leave(host: string, holder: Holder): void {
    const holders = this.#held.get(host);
    if (holders === undefined || !holders.delete(holder)) return;
    this.#size -= 1;
    if (holders.size === 0) this.#held.delete(host);
  }

  #largest(): { readonly host: string; readonly holders: ReadonlySet<Holder> } | null {
    let largest: { host: string; holders: ReadonlySet<Holder> } | null = null;
    for (const [host, holders] of this.#held) {
      if (largest === null || holders.size > largest.holders.size) largest = { host, holders };
    }
    return largest;
  }
}
