/** Inventory of each peer: what it is known to have, and so need not be told. Forgotten with the link. */
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { Link } from "../link/link.ts";
import type { Peer } from "../peers/peer.ts";

/** Names of known items by peer. */
export class PeerInventory {
  readonly #limit: number;
  readonly #byLink = new WeakMap<Link, LruMap<string, true>>();

  /** `limit` is a number of names for each peer. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A peer has told of it. */
  note({ link }: Peer, name: string): void {
    const known = this.#byLink.get(link) ?? new LruMap<string, true>(this.#limit);
    known.set(name, true);
    this.#byLink.set(link, known);
  }

  /** Whether a peer has told of it. */
  has({ link }: Peer, name: string): boolean {
    return this.#byLink.get(link)?.has(name) === true;
  }
}
