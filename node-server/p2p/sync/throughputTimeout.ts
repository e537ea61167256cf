/**
 * A timeout with a minimum throughput: how long a download from a peer may take by the number of items that have come. A
 * message now and then is not enough, while nobody else is caught up with.
 */
import { P2P_LIMITS } from "../p2pLimits.ts";

/** The base time in milliseconds, and the items that must come in each second beyond it. */
export type MinThroughput = { readonly baseMs: number; readonly perSecond: number };

/** That of headers, blocks and rows. */
const ITEMS: MinThroughput = {
  baseMs: P2P_LIMITS.syncConversationMs,
  perSecond: P2P_LIMITS.syncSlowItems,
};

/** The timer of one conversation. */
export class ThroughputTimeout {
  readonly #steadyMs: () => bigint;
  readonly #sinceMs: bigint;
  readonly #minimum: MinThroughput;
  #items = 0;

  constructor(steadyMs: () => bigint, minimum = ITEMS) {
    this.#steadyMs = steadyMs;
    this.#sinceMs = steadyMs();
    this.#minimum = minimum;
  }

  /** Counts items, or bytes where the throughput counts bytes, as received. */
  add(items: number): void {
    this.#items += items;
  }

  /** Milliseconds until the next message, at most `P2P_LIMITS.syncStallMs`; 0 for a peer that has been too slow. */
  get waitMs(): number {
    const { baseMs, perSecond } = this.#minimum;
    const allowedMs = baseMs + (1_000 * this.#items) / perSecond;
    const leftMs = allowedMs - Number(this.#steadyMs() - this.#sinceMs);
    return Math.max(0, Math.min(P2P_LIMITS.syncStallMs, Math.floor(leftMs)));
  }
}
