/** Rate limits by host: how often each host may ask for something, and all of them together. */
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { Clock } from "./clock.ts";
import { TokenBucket, type Rate } from "./tokenBucket.ts";

/** Rates of each host and of all together, and how many hosts are remembered. */
export type SourceRateBounds = {
  readonly each: Rate;
  readonly all: Rate;
  readonly sources: number;
};

/** The rate limiter of one kind of request. */
export class HostRateLimiter {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #bounds: SourceRateBounds;
  readonly #all: TokenBucket;
  readonly #each: LruMap<string, TokenBucket>;

  constructor(clock: Pick<Clock, "steadyMs">, bounds: SourceRateBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
    this.#all = new TokenBucket(bounds.all, clock.steadyMs());
    this.#each = new LruMap(bounds.sources);
  }

  /** Whether a host may ask once more; then it has. */
  takes(host: string): boolean {
    const nowMs = this.#clock.steadyMs();
    return this.#own(host, nowMs).take(1, nowMs) === 1 && this.#all.take(1, nowMs) === 1;
  }

  /** Milliseconds until a host that was refused may ask again, if nobody else does; nothing is taken. */
  waitMs(host: string): number {
    const nowMs = this.#clock.steadyMs();
    return Math.max(this.#own(host, nowMs).waitMs(1, nowMs), this.#all.waitMs(1, nowMs));
  }

  #own(host: string, nowMs: bigint): TokenBucket {
    const own = this.#each.get(host) ?? new TokenBucket(this.#bounds.each, nowMs);
    this.#each.set(host, own);
    return own;
  }
}
