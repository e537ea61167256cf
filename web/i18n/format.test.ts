import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountParts,
  amountText,
  dateText,
  durationText,
  momentText,
  shortAddress,
  shortId,
  workTimeText,
  agoText,
  dayText,
} from "./format.ts";

const COIN = 100_000_000n;

describe("amounts", () => {
  test.each([
    [0n, "0", ""],
    [1n, "0", ".00000001"],
    [12n * COIN + 34_500_000n, "12", ".345"],
    [1_234_567n * COIN, "1,234,567", ""],
    [-COIN / 2n, "−0", ".5"],
    [2n ** 64n - 1n, "184,467,440,737", ".09551615"],
  ])("%s is %s%s", (sompi, whole, fraction) => {
    expect(amountParts(sompi)).toEqual({ whole, fraction });
  });

  test("no digit is lost on the way to the eye", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (sompi) => {
        const { whole, fraction } = amountParts(sompi);
        const digits = whole.replaceAll(",", "") + fraction.replace(".", "").padEnd(8, "0");
        expect(BigInt(digits)).toBe(sompi);
      }),
    );
  });

  test("carries its unit in sentences", () => {
    expect(amountText(COIN)).toBe("1 coin");
  });
});

describe("the network's work as time", () => {
  test.each([
    [1_000n, "about a second"],
    [15_999n, "about 15 seconds"],
    [59_999n, "about 59 seconds"],
    [60_000n, "about a minute"],
    [600_000n, "about 10 minutes"],
    [1_049_000n, "about 17 minutes"],
    [3_599_999n, "about 59 minutes"],
    [3_600_000n, "about an hour"],
    [7_199_999n, "about an hour"],
    [172_799_999n, "about 47 hours"],
    [172_800_000n, "about 2 days"],
    [2n ** 70n, "about 13,664,254,869,414 days"],
  ])("of %s ms is rounded down to %s", (ms, text) => {
    expect(workTimeText(ms)).toBe(text);
  });

  test("of less than a second is no second", () => {
    expect(workTimeText(999n)).toBe("about 0 seconds");
  });
});

describe("moments", () => {
  const noon = new Date(2026, 4, 3, 12).getTime();

  test("of today have no date, and others do", () => {
    expect(momentText(noon, noon + 3_600_000)).toMatch(/^12:00\sPM$/);
    expect(momentText(BigInt(noon), noon + 86_400_000)).toBe(dateText(noon));
  });
});

describe("times", () => {
  test.each([
    [1, "1 second"],
    [59, "59 seconds"],
    [61, "1 min 1 s"],
    [600, "10 minutes"],
    [3_600, "1 hour"],
    [200_000, "2 days"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

test("long identities keep both ends", () => {
  expect(shortId("0123456789abcdef", 4)).toBe("0123…cdef");
  expect(shortId("abc", 4)).toBe("abc");
  expect(shortAddress(`x:${"q".repeat(79)}`)).toBe("x:qqqqqqqq…qqqqqqqq");
});

test("U2: days have their names, and the last hour is told in minutes", () => {
  const now = new Date(2026, 10, 23, 12, 30).getTime();
  const at = (day: number, hour: number, minute: number) =>
    new Date(2026, 10, day, hour, minute).getTime();
  expect(dayText(at(23, 0, 1), now)).toBe("Today");
  expect(dayText(at(22, 23, 59), now)).toBe("Yesterday");
  expect(dayText(at(21, 12, 0), now)).toBe("Saturday, November 21, 2026");
  expect(agoText(at(23, 12, 30), now)).toBe("just now");
  expect(agoText(at(23, 12, 28), now)).toBe("2 minutes ago");
  expect(agoText(at(23, 9, 5), now)).toMatch(/^9:05\sAM$/);
  // A block's time may lie ahead of this clock.
  expect(agoText(now + 90_000, now)).toMatch(/^12:31\sPM$/);
});
