/**
 * Rate limits of costly work: a token bucket for each source, and one for all together.
 *
 * The limiter is asked before anything is decoded or queued. Refused work costs nothing, so a flood from one source slows
 * down that source alone.
 */
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { TokenBucket, type Rate } from "../../platform/time/tokenBucket.ts";

/**
 * Kinds of costly work, by what a token stands for: proof of work of a header, a merge-mining witness, an action of a payment.
 */
export type WorkKind = "headers" | "witnesses" | "proofs";
/** Who causes the work: the key of a peer, or the address of a caller. */
export type WorkSource = string;

/** Rates by kind: the bucket of each source, and the one that all share. */
export type WorkRates = Readonly<Record<WorkKind, { readonly each: Rate; readonly all: Rate }>>;

/** The rates of a node. */
export const NODE_RATES: WorkRates = {
  headers: {
    each: { perSecond: ENGINE_LIMITS.headersPerSecond, burst: ENGINE_LIMITS.headersBurst },
    all: { perSecond: ENGINE_LIMITS.headersPerSecondAll, burst: ENGINE_LIMITS.headersBurstAll },
  },
  witnesses: {
    each: { perSecond: ENGINE_LIMITS.witnessesPerSecond, burst: ENGINE_LIMITS.witnessesBurst },
    all: { perSecond: ENGINE_LIMITS.witnessesPerSecondAll, burst: ENGINE_LIMITS.witnessesBurstAll },
  },
  proofs: {
    each: { perSecond: ENGINE_LIMITS.proofsPerSecond, burst: ENGINE_LIMITS.proofsBurst },
    all: { perSecond: ENGINE_LIMITS.proofsPerSecondAll, burst: ENGINE_LIMITS.proofsBurstAll },
  },
};

/** The rate limiter: work is paid for with tokens, which come back with time. */
export class WorkRateLimiter {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #rates: WorkRates;
  readonly #all: Readonly<Record<WorkKind, TokenBucket>>;
  /** What sources below a part of their rate share: however many busy ones there are, a slow one is heard. */
  readonly #slow: Readonly<Record<WorkKind, TokenBucket>>;
  /** Buckets by kind and source. A forgotten source begins anew; the shared buckets bound what that is worth. */
  readonly #each = new LruMap<string, SourceBuckets>(ENGINE_LIMITS.workSources);

  constructor(clock: Pick<Clock, "steadyMs">, rates: WorkRates = NODE_RATES) {
    const now = clock.steadyMs();
    this.#clock = clock;
    this.#rates = rates;
    this.#all = sharedBuckets(rates, now);
    this.#slow = sharedBuckets(rates, now);
  }

  /**
   * Pays for work of `cost` tokens, one per header, witness or action. Throws `queue/too-fast` with the time after which
   * as much is there if nobody else takes it; then nothing was paid. `again` is what another try costs in all, where some
   * of that was paid before.
   */
  take(kind: WorkKind, source: WorkSource, cost = 1, again = cost): void {
    const now = this.#clock.steadyMs();
    const { own, part } = this.#bucketsOf(kind, source, now);
    const isSlow = part.has(cost, now) && this.#slow[kind].has(cost, now);
    const shared = (isSlow ? this.#slow : this.#all)[kind];
    const waitMs = (tokens: number): number =>
      Math.max(own.waitMs(tokens, now), shared.waitMs(tokens, now));
    if (waitMs(cost) > 0) throw new SvcError("queue/too-fast", { kind, retryMs: waitMs(again) });
    own.pay(cost);
    shared.pay(cost);
    if (isSlow) part.pay(cost);
  }

  /** Makes a source pay for work that turned out to be dearer than what it paid; what it lacks is owed. */
  charge(kind: WorkKind, source: WorkSource, cost: number): void {
    const { own, part } = this.#bucketsOf(kind, source, this.#clock.steadyMs());
    own.pay(cost);
    part.pay(cost);
  }

  #bucketsOf(kind: WorkKind, source: WorkSource, now: bigint): SourceBuckets {
    const key = `${kind} ${source}`;
    const known = this.#each.get(key);
    if (known !== undefined) return known;
    const { each } = this.#rates[kind];
    const buckets = { own: new TokenBucket(each, now), part: new TokenBucket(slowPart(each), now) };
    this.#each.set(key, buckets);
    return buckets;
  }
}

/** Of a source: its rate, and the part of it for which it need not compete with busy ones. */
type SourceBuckets = { readonly own: TokenBucket; readonly part: TokenBucket };

function slowPart({ perSecond, burst }: Rate): Rate {
  const part = ENGINE_LIMITS.slowSourcePart;
  return { perSecond: perSecond / part, burst: burst / part };
}

function sharedBuckets(rates: WorkRates, now: bigint): Readonly<Record<WorkKind, TokenBucket>> {
  return {
    headers: new TokenBucket(rates.headers.all, now),
    witnesses: new TokenBucket(rates.witnesses.all, now),
    proofs: new TokenBucket(rates.proofs.all, now),
  };
}
