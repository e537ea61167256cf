/**
 * Who may cause how much costly work: token buckets per source and for all together.
 *
 * Asked before anything is decoded or queued. What is refused here cost nothing, so a flood from one side slows that
 * side down and nobody else.
 */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../platform/clock.ts";
import { TokenBucket, type Rate } from "../platform/tokenBucket.ts";

/** Proof of work of a header, of a merge-mining witness, the actions of a payment. */
export type WorkKind = "headers" | "witnesses" | "proofs";
/** Who causes it: the key of a peer, or the address of a caller. */
export type WorkSource = string;

/** The bucket of each source, and the one they share. */
export type WorkRates = Readonly<Record<WorkKind, { readonly each: Rate; readonly all: Rate }>>;

/** The rates of a node. */
export const NODE_RATES: WorkRates = {
  headers: {
    each: { perSecond: LIMITS.headersPerSecond, burst: LIMITS.headersBurst },
    all: { perSecond: LIMITS.headersPerSecondAll, burst: LIMITS.headersBurstAll },
  },
  witnesses: {
    each: { perSecond: LIMITS.witnessesPerSecond, burst: LIMITS.witnessesBurst },
    all: { perSecond: LIMITS.witnessesPerSecondAll, burst: LIMITS.witnessesBurstAll },
  },
  proofs: {
    each: { perSecond: LIMITS.proofsPerSecond, burst: LIMITS.proofsBurst },
    all: { perSecond: LIMITS.proofsPerSecondAll, burst: LIMITS.proofsBurstAll },
  },
};

/** Work that is paid for with tokens, which come back with time. */
export class ExpensiveWork {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #rates: WorkRates;
  readonly #all: Readonly<Record<WorkKind, TokenBucket>>;
  /** What sources below a part of their rate share: however many busy ones there are, a slow one is heard. */
  readonly #slow: Readonly<Record<WorkKind, TokenBucket>>;
  /** Buckets by kind and source. A forgotten source begins anew; the shared buckets bound what that is worth. */
  readonly #each = new LruMap<string, SourceBuckets>(LIMITS.workSources);

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
  const part = LIMITS.slowSourcePart;
  return { perSecond: perSecond / part, burst: burst / part };
}

function sharedBuckets(rates: WorkRates, now: bigint): Readonly<Record<WorkKind, TokenBucket>> {
  return {
    headers: new TokenBucket(rates.headers.all, now),
    witnesses: new TokenBucket(rates.witnesses.all, now),
    proofs: new TokenBucket(rates.proofs.all, now),
  };
}
