/** How long a conversation may take: a word now and then is not enough, while nobody else is caught up with. */
import { LIMITS } from "@svc/shared/base/limits.ts";

/** The time of one conversation. */
export class Patience {
  readonly #nowMs: () => bigint;
  readonly #sinceMs: bigint;
  #items = 0;

  constructor(nowMs: () => bigint) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** So many headers, blocks or rows have come. */
  add(items: number): void {
    this.#items += items;
  }

  /** Milliseconds until the next message, at most `LIMITS.syncStallMs`; 0 for a peer that has been too slow. */
  get waitMs(): number {
    const allowedMs = LIMITS.syncTalkMs + (1_000 * this.#items) / LIMITS.syncSlowItems;
    const leftMs = allowedMs - Number(this.#nowMs() - this.#sinceMs);
    return Math.max(0, Math.min(LIMITS.syncStallMs, Math.floor(leftMs)));
  }
}
