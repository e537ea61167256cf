import { describe, expect, test } from "vitest";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { WorkRateLimiter, NODE_RATES, type WorkRates } from "./workRateLimiter.ts";

const rate = { each: { perSecond: 10, burst: 20 }, all: { perSecond: 30, burst: 50 } };
const rates: WorkRates = { headers: rate, witnesses: rate, proofs: rate };

function open() {
  const clock = new ManualClock(1_000n);
  return { clock, work: new WorkRateLimiter(clock, rates) };
}

/** How much of it is given before the first refusal. */
function taken(work: WorkRateLimiter, source: string, most = 1_000): number {
  for (let count = 0; count < most; count += 1) {
    try {
      work.take("headers", source);
    } catch (error) {
      if (!SvcError.is(error, "queue/too-fast")) throw error;
      return count;
    }
  }
  return most;
}

function retryMs(work: WorkRateLimiter, cost: number): number {
  try {
    work.take("headers", "a", cost);
  } catch (error) {
    return Number(SvcError.from(error).data["retryMs"]);
  }
  return 0;
}

describe("expensive work", () => {
  test("a source gets its burst and then its rate", () => {
    const { clock, work } = open();
    expect(taken(work, "a")).toBe(20);
    clock.advance(100);
    expect(taken(work, "a")).toBe(1);
    clock.advance(1_000);
    expect(taken(work, "a")).toBe(10);
    clock.advance(60_000);
    expect(taken(work, "a")).toBe(20);
  });

  test("one source does not use up what others have, all together have a limit", () => {
    const { clock, work } = open();
    expect(taken(work, "a")).toBe(20);
    expect(taken(work, "b")).toBe(20);
    // The first two of each are a tenth of its burst.
    expect(taken(work, "c")).toBe(16);
    expect(taken(work, "d")).toBe(2);
    clock.advance(1_000);
    expect(["a", "b", "c", "d"].map((source) => taken(work, source))).toEqual([10, 10, 13, 1]);
  });

  test("many busy sources leave every other one its tenth", () => {
    const { clock, work } = open();
    const busy = Array.from({ length: 10 }, (_, n) => `busy ${n}`);
    for (const source of busy) taken(work, source);
    for (let second = 0; second < 20; second += 1) {
      clock.advance(1_000);
      for (const source of busy) taken(work, source);
      expect(taken(work, "slow", 1)).toBe(1);
    }
    // More of the slow ones than there is room for share what there is.
    const slow = Array.from({ length: 200 }, (_, n) => `slow ${n}`);
    const all = slow.reduce((sum, source) => sum + taken(work, source), 0);
    expect(all).toBeLessThanOrEqual(50);
  });

  test("what is charged later is owed", () => {
    const { clock, work } = open();
    work.take("headers", "a");
    work.charge("headers", "a", 39);
    expect(taken(work, "a")).toBe(0);
    clock.advance(2_000);
    expect(taken(work, "a")).toBe(0);
    clock.advance(100);
    expect(taken(work, "a")).toBe(1);
    expect(taken(work, "b")).toBe(20);
  });

  test("what is refused costs nothing and says when to come again", () => {
    const { clock, work } = open();
    work.take("headers", "a", 15);
    for (let tries = 0; tries < 5; tries += 1) expect(retryMs(work, 6)).toBe(100);
    clock.advance(99);
    expect(retryMs(work, 6)).toBe(1);
    clock.advance(1);
    expect(retryMs(work, 6)).toBe(0);
  });

  test("a cost above the burst waits for a full bucket and is owed", () => {
    const { clock, work } = open();
    work.take("headers", "a", 40);
    expect(taken(work, "a")).toBe(0);
    clock.advance(2_000);
    expect(taken(work, "a")).toBe(0);
    clock.advance(100);
    expect(taken(work, "a")).toBe(1);
  });

  test("kinds are paid for apart", () => {
    const { work } = open();
    expect(taken(work, "a")).toBe(20);
    work.take("witnesses", "a", 20);
    work.take("proofs", "a", 20);
  });

  test("a clock that is set back gives nothing and takes nothing", () => {
    const { clock, work } = open();
    expect(taken(work, "a")).toBe(20);
    clock.advance(-60_000);
    expect(taken(work, "a")).toBe(0);
    clock.advance(100);
    expect(taken(work, "a")).toBe(1);
  });

  test("many sources take a bounded room, and only what all may take", () => {
    const { work } = open();
    let all = 0;
    for (let n = 0; n < 2 * ENGINE_LIMITS.workSources; n += 1) all += taken(work, `s${n}`, 1);
    expect(all).toBe(100);
  });

  test("a burst of headers fits a whole call", () => {
    for (const { each, all } of Object.values(NODE_RATES)) {
      expect(each.burst).toBeGreaterThanOrEqual(each.perSecond);
      expect(all.perSecond).toBeGreaterThanOrEqual(each.perSecond);
      expect(all.burst).toBeGreaterThanOrEqual(each.burst);
    }
  });
});
