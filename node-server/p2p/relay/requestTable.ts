/** What is being fetched from peers, so that nothing is fetched from several at once (specification network 1.6). */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { Clock } from "../../platform/clock.ts";

/** Things asked for, by name. A peer that is slow is given up for another one after a moment. */
export class RequestTable {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #sinceMs: LruMap<string, bigint>;

  /** `limit` is a number of requests. */
  constructor(clock: Pick<Clock, "nowMs">, limit: number) {
    this.#clock = clock;
    this.#sinceMs = new LruMap(limit);
  }

  /** Whether the caller is to ask now; then others are told not to for `LIMITS.p2pRequestRetryMs`. */
  claim(name: string): boolean {
    const nowMs = this.#clock.nowMs();
    const sinceMs = this.#sinceMs.get(name);
    if (sinceMs !== undefined && nowMs - sinceMs < BigInt(LIMITS.p2pRequestRetryMs)) return false;
    this.#sinceMs.set(name, nowMs);
    return true;
  }

  /** It has come, or the one who was asked does not have it. */
  release(name: string): void {
    this.#sinceMs.delete(name);
  }
}
