/**
 * Rate limit of a visitor: calls in a minute. Each instance counts in its memory, which costs no call and stores nothing; what reaches
 * a relay is counted by the data centre too (Rate Limiting binding), by a hash. Nothing of a visitor is written down.
 */
import { takeCall, type CallBucket, type CallShare } from "@svc/shared/base/callShare.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";

/** Kinds of calls with a share of their own. */
export type VisitKind = "read" | "search";

/** Dependencies. */
export type VisitorRatesParts = {
  readonly readsPerMinute: number;
  /** The data centre's count; null where there is none. */
  readonly shared: Pick<RateLimit, "limit"> | null;
  /** Unix ms. */
  readonly now: () => number;
};

/** Groups of an IPv6 address that are one visitor: a /64 is what one line is given. */
const V6_GROUPS = 4;
const SUBJECT_DIGITS = 32;
/** The binding counts in minutes. */
const SHARED_RETRY_S = 60;

/** The count of one instance. */
export class VisitorRates {
  readonly #parts: VisitorRatesParts;
  readonly #own = new LruMap<string, CallBucket>(EXPLORER_LIMITS.visitors);

  constructor(parts: VisitorRatesParts) {
    this.#parts = parts;
  }

  /** Takes a call from its visitor's share; one too many takes nothing, and `waitS` of it is not null. */
  take(address: string, kind: VisitKind): CallShare {
    const source = `${kind} ${visitorOf(address)}`;
    const { readsPerMinute, now } = this.#parts;
    const perMinute = kind === "read" ? readsPerMinute : EXPLORER_LIMITS.searchesPerMinute;
    const { bucket, share } = takeCall(this.#own.get(source) ?? null, perMinute, now());
    if (share.waitS === null) this.#own.set(source, bucket);
    return share;
  }

  /** Counts a call that reaches a relay. Rejects with `http/too-many-requests`; without an answer of the binding it resolves. */
  async admit(address: string): Promise<void> {
    const { shared } = this.#parts;
    if (shared === null) return;
    const key = await subjectOf(visitorOf(address));
    const outcome = await shared.limit({ key }).catch(() => null);
    if (outcome?.success === false) {
      throw new SvcError("http/too-many-requests", { retryAfter: SHARED_RETRY_S });
    }
  }
}

/** Whose share an address is of. */
export function visitorOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::", 2);
  const front = head === "" ? [] : head.split(":");
  if (tail === undefined) return front.slice(0, V6_GROUPS).join(":");
  const zeros = Array.from({ length: V6_GROUPS }, () => "0");
  return [...front, ...zeros].slice(0, V6_GROUPS).join(":");
}

async function subjectOf(visitor: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(visitor));
  return encodeHex(new Uint8Array(digest)).slice(0, SUBJECT_DIGITS);
}
