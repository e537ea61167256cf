import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ageText, amountParts, amountText, durationText, shortAddress, shortId } from "./format.ts";

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

  test("what happened a moment ago, or by a clock ahead of ours, is just now", () => {
    expect(ageText(10_000, 12_000)).toBe("just now");
    expect(ageText(15_000, 12_000)).toBe("just now");
    expect(ageText(0n, 60_000)).toBe("1 minute ago");
  });
});

test("long identities keep both ends", () => {
  expect(shortId("0123456789abcdef", 4)).toBe("0123…cdef");
  expect(shortId("abc", 4)).toBe("abc");
  expect(shortAddress(`x:${"q".repeat(79)}`)).toBe("x:qqqqqqqq…qqqqqqqq");
});
