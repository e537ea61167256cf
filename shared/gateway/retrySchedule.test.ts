import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../base/brand.ts";
import { GATEWAY_RETRIES, nextTryMs } from "./retrySchedule.ts";

const CREATED = asTimestampMs(1_700_000_000_000n);
const SECONDS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 43_200, 43_200];
/** The middle, the lowest and the highest draw. */
const MIDDLE = 2 ** 31;
const LOWEST = 0;
const HIGHEST = 2 ** 32 - 1;

const pauseAfter = (failedBefore: number, random: number) => {
  const failed = { failedBefore, createdMs: CREATED, nowMs: CREATED, random };
  return Number((nextTryMs(GATEWAY_RETRIES, failed) ?? 0n) - CREATED);
};

describe("the retry schedule of the gateway", () => {
  it("is 10 s, 1 min, 5 min, 30 min, 2 h, 6 h, then every 12 h", () => {
    expect(SECONDS.map((_, failedBefore) => pauseAfter(failedBefore, MIDDLE))).toEqual(
      SECONDS.map((seconds) => seconds * 1_000),
    );
  });

  it("has a jitter of a fifth, either way", () => {
    for (const [failedBefore, seconds] of SECONDS.entries()) {
      expect(pauseAfter(failedBefore, LOWEST)).toBe(seconds * 800);
      expect(pauseAfter(failedBefore, HIGHEST)).toBe(seconds * 1_200);
    }
  });

  it("gives up when three days have passed since the delivery was made, and not before", () => {
    const last = { failedBefore: 12, createdMs: CREATED, random: MIDDLE };
    const at = (nowMs: bigint) =>
      nextTryMs(GATEWAY_RETRIES, { ...last, nowMs: asTimestampMs(nowMs) });
    expect(at(CREATED + 259_199_999n)).toBe(CREATED + 259_199_999n + 43_200_000n);
    expect(at(CREATED + 259_200_000n)).toBeNull();
  });

  it("makes 12 to 14 tries, whatever is drawn", () => {
    const draws = fc.array(fc.nat(HIGHEST), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(draws, (randoms) => {
        let tries = 0;
        let nowMs: typeof CREATED | null = CREATED;
        while (nowMs !== null) {
          const random = randoms[tries] ?? expect.unreachable();
          const failed = { failedBefore: tries, createdMs: CREATED, nowMs, random };
          nowMs = nextTryMs(GATEWAY_RETRIES, failed);
          tries += 1;
        }
        expect(tries).toBeGreaterThanOrEqual(12);
        expect(tries).toBeLessThanOrEqual(14);
      }),
    );
  });
});
