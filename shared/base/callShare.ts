/** Token buckets of calls in a minute: what a caller has left of its share, and what its answers say about it. */

/** What is left of a share after a call. */
export type CallShare = {
  /** Calls in a minute. */
  readonly limit: number;
  /** Calls that may follow at once. */
  readonly remaining: number;
  /** Seconds until the whole share is there again. */
  readonly resetS: number;
  /** Seconds until the next call may be made; null where this one was within the share. */
  readonly waitS: number | null;
};

/** What a caller has left: calls, and when they were counted. */
export type CallBucket = { readonly tokens: number; readonly atMs: number };

/** ms. After so long without a call a share is whole again. */
export const SHARE_MS = 60_000;

/** Takes a call from a bucket; null for a caller of whom nothing is known. One too many leaves the bucket as it is. */
export function takeCall(
  before: CallBucket | null,
  perMinute: number,
  nowMs: number,
): { readonly bucket: CallBucket; readonly share: CallShare } {
  const bucket = before ?? { tokens: perMinute, atMs: nowMs };
  const grown = bucket.tokens + ((nowMs - bucket.atMs) * perMinute) / SHARE_MS;
  const tokens = Math.min(perMinute, grown);
  const secondsTo = (wanted: number): number =>
    Math.ceil(((wanted - tokens) * SHARE_MS) / perMinute / 1_000);
  const isOver = tokens < 1;
  return {
    bucket: isOver ? bucket : { tokens: tokens - 1, atMs: nowMs },
    share: {
      limit: perMinute,
      remaining: isOver ? 0 : Math.floor(tokens - 1),
      resetS: secondsTo(isOver ? perMinute : perMinute + 1),
      waitS: isOver ? secondsTo(1) : null,
    },
  };
}

/** The headers that tell a caller of its share. */
export function shareHeaders({ limit, remaining, resetS }: CallShare): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(resetS),
  };
}
