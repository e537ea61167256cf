import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../base/brand.ts";
import { easedWork, harderOf, receiptMeasure, yardstickOf } from "./yardstick.ts";
import { workOfBits } from "./workBlocks.ts";

const WEEK = 604_800_000n;
const HARD = 0x1c00ffff;
const EASY = 0x1d00ffff;
const at = (bits: number, weeks: bigint) => ({ bits, timestamp: asTimestampMs(weeks * WEEK) });

describe("eased work", () => {
  it("halves with each week, or with another time, to no end", () => {
    expect(easedWork(at(HARD, 0n), WEEK - 1n)).toEqual({
      floor: { bits: HARD, halvings: 3 },
      unit: workOfBits(HARD),
    });
    expect(easedWork(at(HARD, 0n), 2n * WEEK)).toEqual({
      floor: { bits: HARD, halvings: 5 },
      unit: workOfBits(HARD) / 4n,
    });
    expect(easedWork(at(HARD, 0n), WEEK, WEEK / 2n).unit).toBe(workOfBits(HARD) / 4n);
    const ancient = { floor: { bits: HARD, halvings: 255 }, unit: 0n };
    expect(easedWork(at(HARD, 0n), WEEK, 1n)).toEqual(ancient);
  });

  it("is the harder of two, and the first of equals", () => {
    const [hard, easy] = [easedWork(at(HARD, 0n), 0n), easedWork(at(EASY, 0n), 0n)];
    expect(harderOf(easy, hard)).toBe(hard);
    expect(harderOf(hard, easedWork(at(HARD, 1n), 0n))).toBe(hard);
    const nothing = easedWork(null, 0n);
    expect(harderOf(nothing, easy)).toBe(easy);
    expect(harderOf(easy, nothing)).toBe(easy);
    expect(harderOf(nothing, nothing)).toEqual({ floor: null, unit: 0n });
  });
});

describe("a yardstick of work", () => {
  it("has the floor of the hardest header, whichever is the younger", () => {
    expect(yardstickOf(at(HARD, 0n), at(EASY, 1n), WEEK).floor).toEqual({
      bits: HARD,
      halvings: 4,
    });
    // The easier one counts when the harder is so old.
    expect(yardstickOf(at(HARD, 0n), at(EASY, 19n), 20n * WEEK).floor).toEqual({
      bits: EASY,
      halvings: 4,
    });
  });

  it("tells time in the checkpoint's work, however old that is", () => {
    for (const weeks of [0n, 4n, 18n, 52n]) {
      expect(yardstickOf(null, at(HARD, 0n), weeks * WEEK).unit).toBe(workOfBits(HARD));
    }
  });

  it("tells it in the work that was proved where that is harder, for some weeks", () => {
    expect(yardstickOf(at(HARD, 0n), at(EASY, 0n), 0n).unit).toBe(workOfBits(HARD));
    expect(yardstickOf(at(HARD, 0n), at(EASY, 0n), 7n * WEEK).unit).toBe(workOfBits(HARD) >> 7n);
    expect(yardstickOf(at(HARD, 0n), at(EASY, 0n), 9n * WEEK).unit).toBe(workOfBits(EASY));
  });

  it("has no unit without a checkpoint, whatever was proved", () => {
    expect(yardstickOf(null, null, 0n)).toEqual({ floor: null, unit: null });
    expect(yardstickOf(at(HARD, 0n), null, WEEK)).toEqual({
      floor: { bits: HARD, halvings: 4 },
      unit: null,
    });
  });
});

describe("the measure of a receipt", () => {
  it("is a header that is known: its work, and a floor that weeks ease", () => {
    expect(receiptMeasure(at(HARD, 0n), 2n * WEEK)).toEqual({
      bits: HARD,
      floor: { bits: HARD, halvings: 5 },
    });
    expect(receiptMeasure(null, WEEK)).toEqual({});
  });
});
