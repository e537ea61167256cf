import { describe, expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { chainYardstick } from "./chainYardstick.ts";

const WEEK = 604_800_000n;
const SIX_HOURS = 21_600_000n;
const [HARD, EASY] = [0x1c00ffff, 0x1d00ffff];
const at = (bits: number, ms: bigint) => ({ bits, timestamp: asTimestampMs(ms) });
const block = (bits: number, ms: bigint) => ({ bits, timestamp: String(ms) });

describe("the measure of a checked block", () => {
  it.each([4n, 18n, 52n])("tells time in the work of a checkpoint of %d weeks", (weeks) => {
    const now = weeks * WEEK;
    const { floor, unit } = chainYardstick(at(HARD, 0n), block(EASY, now - SIX_HOURS), now);
    expect(unit).toBe(workOfBits(HARD));
    // The floor is eased, so that a network that lost its miners can be shown.
    const eased = { bits: HARD, halvings: 3 + Number(weeks) };
    expect(floor).toEqual(weeks === 4n ? eased : { bits: EASY, halvings: 4 });
  });

  it("takes the block's own work where that is harder, eased each six hours", () => {
    const now = 3n * SIX_HOURS;
    expect(chainYardstick(at(EASY, 0n), block(HARD, 0n), now)).toEqual({
      floor: { bits: HARD, halvings: 6 },
      unit: workOfBits(HARD) >> 3n,
    });
    expect(chainYardstick(null, block(HARD, 0n), now).unit).toBe(workOfBits(HARD) >> 3n);
  });
});
