import { describe, expect, it } from "vitest";
import { blocksOfWork, minerOdds, workOfBits } from "./workBlocks.ts";

describe("work in blocks", () => {
  it.each([
    [0x207fffff, 2n],
    [0x1d00ffff, 4_295_032_833n],
    [0x03000001, 2n ** 256n / 2n],
    [0x02000100, 2n ** 256n / 2n],
    [0x1d000000, 0n],
    [0x1d800001, 0n],
  ])("takes so many hashes at bits %s", (bits, hashes) => {
    expect(workOfBits(bits)).toBe(hashes);
  });

  it("counts easy blocks for less where the network was known to do more", () => {
    const easy = { work: (workOfBits(0x1d00ffff) * 600n).toString(16), bits: 0x1d00ffff };
    expect(blocksOfWork(easy, 0n)).toBe(600n);
    expect(blocksOfWork(easy, workOfBits(0x207fffff))).toBe(600n);
    // A target four times as small: each block counts for a quarter.
    expect(blocksOfWork(easy, workOfBits(0x1c3fffc0))).toBe(150n);
    expect(blocksOfWork({ work: "0", bits: 0x1d00ffff }, 0n)).toBe(0n);
  });
});

describe("a miner with 5 %", () => {
  it("needs twenty times as long as the network, and has a lucky day more often than that", () => {
    const { ms, dayChance } = minerOdds(4_320n, 1_000n);
    expect(ms).toBe(86_400_000n);
    expect(dayChance).toBeCloseTo(1 - 1 / Math.E, 12);
    expect(minerOdds(432_000n, 1_000n).dayChance).toBeCloseTo(0.00995, 5);
    expect(minerOdds(0n, 1_000n)).toEqual(minerOdds(1n, 1_000n));
    expect(minerOdds(10n ** 30n, 1_000n).dayChance).toBeGreaterThan(0);
  });
});
