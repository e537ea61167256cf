/** Tests of the token bucket and its refill. */
import { describe, expect, it } from "vitest";
import { TokenBucket } from "./tokenBucket.ts";

describe("a bucket of tokens", () => {
  const rate = { perSecond: 2, burst: 10 };

  it("gives what is there, whole tokens only, and fills up to its burst", () => {
    const bucket = new TokenBucket(rate, 0n);
    expect([bucket.take(7, 0n), bucket.take(7, 0n), bucket.take(7, 0n)]).toEqual([7, 3, 0]);
    expect([bucket.take(7, 400n), bucket.take(7, 600n), bucket.take(7, 1_000n)]).toEqual([0, 1, 1]);
    expect(bucket.take(100, 1_000_000n)).toBe(10);
  });

  it("says how long to wait, and lets more be owed than it has", () => {
    const bucket = new TokenBucket(rate, 0n);
    bucket.pay(14);
    expect([bucket.has(1, 0n), bucket.waitMs(1, 0n), bucket.take(1, 0n)]).toEqual([
      false,
      2_500,
      0,
    ]);
    expect([bucket.waitMs(100, 2_500n), bucket.has(1, 2_500n)]).toEqual([4_500, true]);
  });

  it("gives nothing for a clock that was set back", () => {
    const bucket = new TokenBucket(rate, 10_000n);
    expect(bucket.take(10, 10_000n)).toBe(10);
    expect(bucket.take(10, 5_000n)).toBe(0);
  });
});
