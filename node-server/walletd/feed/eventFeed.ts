/**
 * Reads a feed from a cursor on. A cursor that its reader has stored is all that he needs: what comes after it is never
 * skipped and never told twice. Where there is nothing yet, the reader may wait.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { EventTable, FeedEntry } from "../store/eventTable.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";

/** A part of a feed. */
export type FeedPage = {
  readonly entries: readonly FeedEntry[];
  /** The cursor to ask after next. */
  readonly next: bigint;
  /** The last cursor of the feed. */
  readonly head: bigint;
};

/** How a reader waits. */
export type FeedWait = {
  readonly limit: number;
  /** ms; more than `feedWaitMs` counts as that, and below 1 nobody waits. */
  readonly waitMs: number;
};

type Waiter = () => void;

/** The readers of all feeds. */
export class EventFeed {
  readonly #events: EventTable;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #waiters = new Map<WalletToken, Set<Waiter>>();
  #waiting = 0;

  constructor(events: EventTable, clock: Pick<Clock, "sleep">) {
    this.#events = events;
    this.#clock = clock;
  }

  /** Readers that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * The entries after a cursor; 0 for all. Throws `wallet/cursor-ahead` for one that this feed never gave: an older database was
   * put back, and its cursors come a second time.
   */
  after(token: WalletToken, cursor: bigint, limit: number): FeedPage {
    const head = this.#events.head(token);
    if (cursor > head) throw new SvcError("wallet/cursor-ahead", { cursor, head });
    const entries = this.#events.after(token, cursor, limit);
    return { entries, next: entries.at(-1)?.cursor ?? cursor, head };
  }

  /**
   * The entries after a cursor as soon as there is one, none when the time is over. Nobody waits beyond `feedWaiting` readers.
   * Rejects with `wallet/cursor-ahead`, `run/aborted`.
   */
  async wait(
    token: WalletToken,
    cursor: bigint,
    { limit, waitMs }: FeedWait,
    signal: AbortSignal,
  ): Promise<FeedPage> {
    const page = this.after(token, cursor, limit);
    const ms = Math.min(waitMs, WALLETD_LIMITS.feedWaitMs);
    if (page.entries.length > 0 || ms < 1 || this.#waiting >= WALLETD_LIMITS.feedWaiting) {
      return page;
    }
    await this.#news(token, cursor, ms, signal);
    return this.after(token, cursor, limit);
  }

  /** There may be new entries in a feed: those who wait for them look. */
  changed(token: WalletToken): void {
    for (const wake of [...(this.#waiters.get(token) ?? [])]) wake();
  }

  async #news(token: WalletToken, cursor: bigint, ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const end = (): void => over.abort();
    // A commit that failed is told of, too.
    const wake = (): void => {
      if (this.#events.head(token) > cursor) end();
    };
    const waiters = this.#waiters.get(token) ?? new Set();
    this.#waiters.set(token, waiters.add(wake));
    this.#waiting += 1;
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      await this.#clock.sleep(ms, over.signal).catch((thrown: unknown) => {
        if (!over.signal.aborted) throw thrown;
      });
    } finally {
      signal.removeEventListener("abort", end);
      this.#waiting -= 1;
      waiters.delete(wake);
      if (waiters.size === 0) this.#waiters.delete(token);
    }
    if (signal.aborted) throw new SvcError("run/aborted", {}, signal.reason);
  }
}
