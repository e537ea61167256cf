/** How long a conversation may take: a word now and then is not enough, while nobody else is caught up with. */
import { LIMITS } from "@svc/shared/base/limits.ts";

/** Milliseconds for a conversation without anything in it, and what has to come in a second beyond that. */
export type Pace = { readonly baseMs: number; readonly perSecond: number };

/** That of headers, blocks and rows. */
const ITEMS: Pace = { baseMs: LIMITS.syncTalkMs, perSecond: LIMITS.syncSlowItems };

/** The time of one conversation. */
export class Patience {
  readonly #steadyMs: () => bigint;
  readonly #sinceMs: bigint;
  readonly #pace: Pace;
  #items = 0;

  constructor(steadyMs: () => bigint, pace = ITEMS) {
    this.#steadyMs = steadyMs;
    this.#sinceMs = steadyMs();
    this.#pace = pace;
  }

  /** So many of what the pace counts have come. */
  add(items: number): void {
    this.#items += items;
  }

  /** Milliseconds until the next message, at most `LIMITS.syncStallMs`; 0 for a peer that has been too slow. */
  get waitMs(): number {
    const { baseMs, perSecond } = this.#pace;
    const allowedMs = baseMs + (1_000 * this.#items) / perSecond;
    const leftMs = allowedMs - Number(this.#steadyMs() - this.#sinceMs);
    return Math.max(0, Math.min(LIMITS.syncStallMs, Math.floor(leftMs)));
  }
}
