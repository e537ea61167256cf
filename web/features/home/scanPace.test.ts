import { describe, expect, it } from "vitest";
import { ScanPace } from "./scanPace.ts";

/** What the last of some looks says, one each second. */
function after(...behind: readonly number[]): number | null {
  const pace = new ScanPace();
  let left: number | null = null;
  for (const [second, blocks] of behind.entries()) {
    left = pace.secondsLeft(BigInt(blocks), second * 1_000);
  }
  return left;
}

const steady = (from: number, each: number, seconds: number) =>
  Array.from({ length: seconds + 1 }, (_, second) => from - each * second);

describe("the time that a scan still takes", () => {
  it("cannot be told at first, nor after a single leap", () => {
    expect(after(10_000)).toBeNull();
    expect(after(10_000, 9_000)).toBeNull();
    expect(after(10_000, 9_000, 8_000)).toBeNull();
  });

  it.each([
    [steady(1_000, 100, 5), 5],
    [steady(5_500, 100, 5), 50],
    [steady(20_500, 100, 5), 210],
    [steady(100_500, 100, 5), 1_020],
  ])("of %j is rounded up to %d seconds", (looks, seconds) => {
    expect(after(...looks)).toBe(seconds);
  });

  it("is longer where the chain grows meanwhile, and unknown where it grows as fast", () => {
    expect(after(...steady(5_500, 50, 5))).toBe(120);
    expect(after(...steady(5_500, 0, 8))).toBeNull();
    expect(after(...steady(5_500, -3, 8))).toBeNull();
  });

  it("follows the last seconds alone", () => {
    const slow = steady(100_000, 10, 60);
    const fast = steady(99_400, 1_000, 40).slice(1);
    expect(after(...slow, ...fast)).toBe(60);
  });

  it("grows while nothing more is scanned, and is unknown after a pause", () => {
    const pace = new ScanPace();
    for (let second = 0; second <= 5; second += 1) {
      pace.secondsLeft(BigInt(5_500 - second * 100), second * 1_000);
    }
    expect(pace.secondsLeft(5_000n, 5_000)).toBe(50);
    expect(pace.secondsLeft(5_000n, 10_000)).toBe(120);
    expect(pace.secondsLeft(5_000n, 60_000)).toBeNull();
    expect(pace.secondsLeft(4_900n, 61_000)).toBeNull();
  });

  it("keeps no more looks than its limit, however often it is asked", () => {
    const pace = new ScanPace();
    let left: number | null = null;
    for (let look = 0; look < 5_000; look += 1) {
      left = pace.secondsLeft(BigInt(1_000_000 - look), look);
    }
    expect(left).toBe(1_020);
  });
});
