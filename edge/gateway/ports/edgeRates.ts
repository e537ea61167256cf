/**
 * Rate limits at the edge: one count for all instances of the Worker, held by objects (`objects/rateObject.ts`). Beside it each instance counts
 * what it let through itself. Who has used up his share at one instance is refused without a question; and where an object does not answer
 * the instance goes by its own count: nobody is shut out, and each instance gives at most one share.
 */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { takeCall, type CallBucket, type CallShare } from "@svc/shared/base/callShare.ts";
import {
  callSource,
  type CallRates,
  type CallSource,
  type CountedCall,
} from "@svc/shared/gateway/callRates.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";

/** The objects, as an instance asks them. */
export type RateObjects = {
  getByName(name: string): { take(subject: string, perMinute: number): Promise<CallShare> };
};

const SUBJECT_DIGITS = 32;
const SHARD_DIGITS = 8;

/** The limits of one instance. */
export class EdgeRates implements CallRates {
  readonly #objects: RateObjects;
  readonly #now: () => TimestampMs;
  readonly #patience: () => AbortSignal;
  readonly #own = new LruMap<string, CallBucket>(EDGE_LIMITS.rateSources);
  /** Until then no object is asked. */
  #aloneUntil = 0;

  /** `patience` ends the wait for an object; `rateAnswerMs` when left out. */
  constructor(
    objects: RateObjects,
    now: () => TimestampMs,
    patience = () => AbortSignal.timeout(EDGE_LIMITS.rateAnswerMs),
  ) {
    this.#objects = objects;
    this.#now = now;
    this.#patience = patience;
  }

  async take(call: CountedCall): Promise<CallShare> {
    const { source, perMinute } = callSource(call);
    const before = this.#own.get(source) ?? null;
    const own = takeCall(before, perMinute, Number(this.#now()));
    if (own.share.waitS !== null) return own.share;
    this.#own.set(source, own.bucket);
    const share = await this.#ofAll({ source, perMinute });
    if (share !== null && share.waitS !== null) this.#giveBack(source);
    return share ?? own.share;
  }

  /** What was refused takes nothing. */
  #giveBack(source: string): void {
    const { tokens, atMs } = this.#own.get(source) ?? { tokens: 0, atMs: 0 };
    if (atMs > 0) this.#own.set(source, { tokens: tokens + 1, atMs });
  }

  /** The share that all instances count; null where its object does not answer. Never rejects. */
  async #ofAll({ source, perMinute }: CallSource): Promise<CallShare | null> {
    const now = Number(this.#now());
    if (now < this.#aloneUntil) return null;
    try {
      const subject = await subjectOf(source);
      const shard = Number.parseInt(subject.slice(0, SHARD_DIGITS), 16) % EDGE_LIMITS.rateShards;
      const object = this.#objects.getByName(`rates-${shard}`);
      return await within(object.take(subject, perMinute), this.#patience());
    } catch (thrown) {
      this.#aloneUntil = now + EDGE_LIMITS.ratePauseMs;
      console.error(`calls are counted by one instance alone: ${SvcError.from(thrown).code}`);
      return null;
    }
  }
}

/** The object learns no address. */
async function subjectOf(source: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(source));
  return encodeHex(new Uint8Array(digest)).slice(0, SUBJECT_DIGITS);
}

async function within<T>(work: Promise<T>, patience: AbortSignal): Promise<T> {
  const over = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const end = () =>
      reject(new SvcError("run/timeout", { what: "rates", limitMs: EDGE_LIMITS.rateAnswerMs }));
    patience.addEventListener("abort", end, { signal: over.signal });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
