import { uptime } from "node:os";
import { expect, test } from "vitest";
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { anchored, ManualClock, systemClock } from "./clock.ts";

const { signal } = new AbortController();

test("sleepers of a clock moved by hand wake in order, when their time has come", async () => {
  const clock = new ManualClock(1000n);
  const woken: number[] = [];
  const sleeps = [300, 100, 200].map((ms) => clock.sleep(ms, signal).then(() => woken.push(ms)));
  clock.advance(99);
  expect(clock.sleeping).toBe(3);
  clock.advance(101);
  expect(clock.sleeping).toBe(1);
  await Promise.all(sleeps.slice(1));
  clock.advance(100);
  await Promise.all(sleeps);
  expect(woken).toEqual([100, 200, 300]);
  expect(clock.nowMs()).toBe(1300n);
});

test("a cancelled sleep rejects at once on either clock", async () => {
  for (const clock of [new ManualClock(0n), systemClock]) {
    const cancel = new AbortController();
    const sleep = clock.sleep(3_600_000, cancel.signal);
    cancel.abort();
    await expect(sleep).rejects.toThrow("run/aborted");
    await expect(clock.sleep(1, cancel.signal)).rejects.toThrow("run/aborted");
  }
});

test("a clock that is set measures nothing and wakes nobody: what is anchored only goes on", async () => {
  const clock = new ManualClock(1_000n);
  const kept = anchored(clock);
  const sleep = clock.sleep(100, signal);
  for (const ms of [86_400_000, -3 * 86_400_000]) clock.step(ms);
  expect([clock.nowMs(), clock.steadyMs(), kept.nowMs()]).toEqual([-172_799_000n, 1_000n, 1_000n]);
  expect(clock.sleeping).toBe(1);
  clock.advance(100);
  await sleep;
  expect([clock.steadyMs(), kept.nowMs()]).toEqual([1_100n, 1_100n]);
});

test("what is anchored goes on while the machine sleeps, and does not follow a clock that is set meanwhile", () => {
  const clock = new ManualClock(1_000n);
  const kept = anchored(clock);
  const HOURS_MS = 5 * 3_600_000;
  clock.suspend(HOURS_MS);
  clock.step(-86_400_000);
  expect(clock.steadyMs()).toBe(1_000n);
  clock.advance(PLATFORM_LIMITS.sleptLookMs);
  expect(kept.nowMs()).toBe(1_000n + BigInt(HOURS_MS + PLATFORM_LIMITS.sleptLookMs));
  // Twice, and with the clock put right only: set forward by as much as a sleep it is no sleep.
  clock.step(86_400_000);
  clock.advance(PLATFORM_LIMITS.sleptLookMs);
  clock.suspend(HOURS_MS);
  clock.step(HOURS_MS);
  clock.advance(PLATFORM_LIMITS.sleptLookMs);
  expect(kept.nowMs()).toBe(1_000n + BigInt(2 * HOURS_MS + 3 * PLATFORM_LIMITS.sleptLookMs));
});

test("what is anchored goes neither back nor ahead by a time since the start that is rounded", () => {
  const times = { steadyMs: 0n, bootMs: 100_000n };
  const kept = anchored({
    nowMs: () => 0n,
    steadyMs: () => times.steadyMs,
    bootMs: () => times.bootMs,
  });
  const heard = [0n];
  for (let second = 1n; second <= 100n; second += 1n) {
    times.steadyMs = second * 1_000n;
    times.bootMs = 100_000n + times.steadyMs - (second % 10n);
    heard.push(kept.nowMs());
  }
  expect(heard).toEqual(heard.map((_, second) => BigInt(second) * 1_000n));
});

/** How far the time since the start is ahead of the steady clock: at least and at most, for the one is asked after the other. */
function aheadOfSteady(): { readonly least: number; readonly most: number } {
  const before = systemClock.steadyMs();
  const boot = systemClock.bootMs();
  const after = systemClock.steadyMs();
  return { least: Number(boot - after), most: Number(boot - before) };
}

test("the machine's time since its start is that in milliseconds, and goes on as its steady clock does", () => {
  const [before, boot, after] = [uptime(), Number(systemClock.bootMs()) / 1_000, uptime()];
  expect(boot).toBeGreaterThanOrEqual(before - 1);
  expect(boot).toBeLessThanOrEqual(after + 1);
  const [first, then] = [aheadOfSteady(), aheadOfSteady()];
  expect(then.least).toBeLessThanOrEqual(first.most + 1_000);
  expect(then.most).toBeGreaterThanOrEqual(first.least - 1_000);
});

test("the steady clock of the machine does not follow its wall clock", () => {
  const real = Date.now;
  const [wall, steady] = [systemClock.nowMs(), systemClock.steadyMs()];
  Date.now = () => real() + 86_400_000;
  try {
    expect(Number(systemClock.nowMs() - wall)).toBeGreaterThanOrEqual(86_400_000);
    expect(Number(systemClock.steadyMs() - steady)).toBeLessThan(86_400_000);
  } finally {
    Date.now = real;
  }
});
