import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../base/brand.ts";
import { hardestOf, yardstickOf } from "./yardstick.ts";
import { workOfBits } from "./workBlocks.ts";

const WEEK = 604_800_000n;
const HARD = 0x1c00ffff;
const EASY = 0x1d00ffff;
const at = (bits: number, weeks: bigint) => ({ bits, timestamp: asTimestampMs(weeks * WEEK) });

describe("a yardstick of work", () => {
  it("is eased by weeks", () => {
    const known = [at(HARD, 0n)];
    expect(yardstickOf(known, WEEK - 1n)).toEqual({
      floor: { bits: HARD, halvings: 3 },
      unit: workOfBits(HARD),
    });
    expect(yardstickOf(known, 2n * WEEK)).toEqual({
      floor: { bits: HARD, halvings: 5 },
      unit: workOfBits(HARD) / 4n,
    });
  });

  it("is that of the hardest header, whichever is the younger", () => {
    const known = [at(HARD, 0n), null, at(EASY, 1n)];
    expect(yardstickOf(known, WEEK).floor).toEqual({ bits: HARD, halvings: 4 });
    // The easier one counts when the harder is so old.
    const later = [at(HARD, 0n), at(EASY, 19n)];
    expect(yardstickOf(later, 20n * WEEK).floor).toEqual({ bits: EASY, halvings: 4 });
  });

  it("is eased by another time where one is named, to no end", () => {
    expect(yardstickOf([at(HARD, 0n)], WEEK, WEEK / 2n).unit).toBe(workOfBits(HARD) / 4n);
    const ancient = yardstickOf([at(HARD, 0n)], WEEK, 1n);
    expect(ancient).toEqual({ floor: { bits: HARD, halvings: 255 }, unit: 0n });
  });

  it("is the hardest of several, the first of equals", () => {
    const [hard, easy] = [yardstickOf([at(HARD, 0n)], 0n), yardstickOf([at(EASY, 0n)], 0n)];
    expect(hardestOf([easy, hard])).toBe(hard);
    const same = yardstickOf([at(HARD, 1n)], 0n);
    expect(hardestOf([hard, same])).toBe(hard);
    expect(hardestOf([])).toEqual({ floor: null, unit: 0n });
  });

  it("knows nothing without a header", () => {
    expect(yardstickOf([null], 0n)).toEqual({ floor: null, unit: 0n });
  });
});
