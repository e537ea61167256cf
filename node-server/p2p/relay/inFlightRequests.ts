/** Requests in flight, so that nothing is fetched from several peers at once (specification network 1.6). */
import { P2P_LIMITS } from "../p2pLimits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** The exclusive right to fetch an item, until it expires. */
export type Claim = { readonly name: string; readonly sinceMs: bigint };

/** Items in flight, by name. A peer that is slow is given up for another one after a moment. */
export class InFlightRequests {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #claims: LruMap<string, Claim>;

  /** `limit` is a number of requests. */
  constructor(clock: Pick<Clock, "steadyMs">, limit: number) {
    this.#clock = clock;
    this.#claims = new LruMap(limit);
  }

  /**
   * The right to ask for it now; null when somebody else was given it less than `P2P_LIMITS.p2pRequestRetryMs` ago and has not
   * given it back.
   */
  claim(name: string): Claim | null {
    const sinceMs = this.#clock.steadyMs();
    const held = this.#claims.get(name);
    if (held !== undefined && sinceMs - held.sinceMs < BigInt(P2P_LIMITS.p2pRequestRetryMs))
      return null;
    const claim = { name, sinceMs };
    this.#claims.set(name, claim);
    return claim;
  }

  /** Gives a right back, unless somebody else has it by now. */
  release(claim: Claim): void {
    if (this.#claims.get(claim.name) === claim) this.#claims.delete(claim.name);
  }
}
