/** How much each host may ask, and all of them together. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { hostOf } from "../p2p/addresses/netAddress.ts";
import type { Clock } from "../platform/clock.ts";
import { TokenBucket } from "../platform/tokenBucket.ts";

/** What counts as one host; a connection that is gone has no address. */
export function sourceOf(ip: string | undefined): string {
  return ip === undefined ? "" : hostOf(ip.replace(/%.*$/, ""));
}

/** The rates of one way to ask. */
export class SourceRates {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #all: TokenBucket;
  readonly #each = new LruMap<string, TokenBucket>(LIMITS.dnsSources);

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
    const [perSecond, burst] = [LIMITS.dnsQueriesPerSecondAll, LIMITS.dnsQueriesBurstAll];
    this.#all = new TokenBucket({ perSecond, burst }, clock.nowMs());
  }

  /** Whether a host may ask once more; then it has. */
  takes(host: string): boolean {
    const nowMs = this.#clock.nowMs();
    const rate = { perSecond: LIMITS.dnsQueriesPerSecond, burst: LIMITS.dnsQueriesBurst };
    const own = this.#each.get(host) ?? new TokenBucket(rate, nowMs);
    this.#each.set(host, own);
    return own.take(1, nowMs) === 1 && this.#all.take(1, nowMs) === 1;
  }
}
