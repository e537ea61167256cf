/** Tests of the reliability of probed nodes, which decides whether a seeder names them. */
import { describe, expect, it } from "vitest";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { isHopeless, isReliable, nextTryMs, NO_TRIES, noteTry } from "./probeHistory.ts";

const HOUR_MS = 3_600_000;

/** Tries an hour apart: `+` succeeds. */
function after(tries: string, everyMs = HOUR_MS) {
  const start = 1_000 * HOUR_MS;
  const histories = [...tries].reduce(
    (history, sign, at) => noteTry(history, sign === "+", start + at * everyMs),
    NO_TRIES,
  );
  return { history: histories, nowMs: start + (tries.length - 1) * everyMs };
}

const reliable = (tries: string, everyMs?: number): boolean => {
  const { history, nowMs } = after(tries, everyMs);
  return isReliable(history, nowMs);
};

describe("a node", () => {
  it("is taken early on its word, and then by its share of answers", () => {
    expect(reliable("+")).toBe(true);
    expect(reliable("-")).toBe(false);
    expect(reliable("+-")).toBe(true);
    expect(reliable("+--")).toBe(false);
    expect(reliable("+".repeat(20))).toBe(true);
    expect(reliable("-".repeat(20))).toBe(false);
    expect(reliable("+--".repeat(20))).toBe(false);
    expect(reliable("-".repeat(10) + "+".repeat(10))).toBe(true);
  });

  it("that answered for a week is forgiven an hour, one that is new is not", () => {
    const known = "+".repeat(168);
    expect(reliable(`${known}--`)).toBe(true);
    expect(reliable(`++++--`)).toBe(false);
    expect(reliable(known + "-".repeat(30))).toBe(false);
  });

  it("that was not asked for a day is not named", () => {
    const { history, nowMs } = after("+");
    expect(isReliable(history, nowMs + SEEDER_LIMITS.seederFreshMs)).toBe(true);
    expect(isReliable(history, nowMs + SEEDER_LIMITS.seederFreshMs + 1)).toBe(false);
  });

  it("that a clock saw that was ahead is tried now, and what it saw is dated back", () => {
    const { history, nowMs: aheadMs } = after("+");
    const nowMs = aheadMs - 1_000 * HOUR_MS;
    expect(nextTryMs(history, { knownMs: 0, nowMs })).toBe(nowMs);
    const failed = noteTry(history, false, nowMs);
    expect([failed.lastTryMs, failed.lastSuccessMs]).toEqual([nowMs, nowMs]);
    expect(isReliable(failed, nowMs + SEEDER_LIMITS.seederFreshMs + 1)).toBe(false);
  });

  it("is tried again after a while, later each time while it is silent, and is forgotten in the end", () => {
    expect(nextTryMs(NO_TRIES, { knownMs: 3, nowMs: 5 })).toBe(3);
    expect(nextTryMs(NO_TRIES, { knownMs: 7, nowMs: 5 })).toBe(5);
    const pauses = ["+", "+-", "+--", `+${"-".repeat(50)}`].map((tries) => {
      const { history, nowMs } = after(tries);
      return (nextTryMs(history, { knownMs: 0, nowMs }) - nowMs) / SEEDER_LIMITS.seederRetryMs;
    });
    expect(pauses).toEqual([1, 2, 4, 2 ** SEEDER_LIMITS.seederRetryDoublings]);
    const { history, nowMs } = after("-".repeat(SEEDER_LIMITS.seederFailures));
    expect(isHopeless(history, nowMs)).toBe(false);
    expect(isHopeless(noteTry(history, false, nowMs), nowMs)).toBe(true);
    const once = after(`+${"-".repeat(20)}`);
    expect(isHopeless(once.history, once.nowMs)).toBe(false);
    expect(isHopeless(once.history, once.nowMs + SEEDER_LIMITS.seederForgetMs)).toBe(true);
  });
});
