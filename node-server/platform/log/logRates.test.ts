import { describe, expect, it } from "vitest";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { LogRates } from "./logRates.ts";

const STEP_MS = BigInt(60_000 / PLATFORM_LIMITS.logSamePerMinute);
const times = (count: number): unknown[] => Array.from({ length: count });

describe("LogRates", () => {
  it("lets so many lines of one message through at once, and then one now and then", () => {
    const rates = new LogRates();
    const first = times(PLATFORM_LIMITS.logSameBurst).map(() => rates.admit("a peer came", 0n));
    expect(new Set(first)).toEqual(new Set([0]));
    for (const _ of times(7)) expect(rates.admit("a peer came", 0n)).toBeNull();
    expect(rates.admit("a peer came", STEP_MS - 1n)).toBeNull();
    expect(rates.admit("a peer came", STEP_MS)).toBe(8);
    expect(rates.admit("a peer came", STEP_MS)).toBeNull();
    expect(rates.admit("a peer came", 2n * STEP_MS)).toBe(1);
  });

  it("leaves other messages alone", () => {
    const rates = new LogRates();
    for (const _ of times(PLATFORM_LIMITS.logSameBurst + 1)) rates.admit("a peer came", 0n);
    expect(rates.admit("caught up", 0n)).toBe(0);
  });
});
