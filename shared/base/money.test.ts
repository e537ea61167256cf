import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSompi, U64_MAX } from "./brand.ts";
import { formatCoins, parseCoins } from "./money.ts";

describe("parseCoins", () => {
  it.each([
    ["1", 100_000_000n],
    ["12.345", 1_234_500_000n],
    ["0.00000001", 1n],
    [" 7.10 ", 710_000_000n],
    ["184467440737.09551615", U64_MAX],
  ])("reads %s", (text, sompi) => {
    expect(parseCoins(text)).toBe(sompi);
  });

  it.each([
    ["0", "amount/zero"],
    ["0.00000000", "amount/zero"],
    ["-0", "amount/zero"],
    ["-1", "amount/negative"],
    ["1.123456789", "amount/too-many-decimals"],
    ["0.000000001", "amount/too-many-decimals"],
    ["184467440737.09551616", "amount/too-large"],
    ["", "amount/malformed"],
    ["1e3", "amount/malformed"],
    ["1,5", "amount/malformed"],
    [".5", "amount/malformed"],
    ["5.", "amount/malformed"],
    ["+5", "amount/malformed"],
    ["0x10", "amount/malformed"],
    ["NaN", "amount/malformed"],
    ["1".repeat(41), "amount/malformed"],
  ])("refuses %j with %s", (text, code) => {
    expect(() => parseCoins(text)).toThrow(expect.objectContaining({ code }));
  });

  it("reads back what formatCoins writes", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: U64_MAX }), (value) => {
        expect(parseCoins(formatCoins(value))).toBe(value);
      }),
    );
  });
});

describe("formatCoins", () => {
  it.each([
    [0n, "0"],
    [1n, "0.00000001"],
    [1_234_500_000n, "12.345"],
    [100_000_000n, "1"],
    [-150_000_000n, "-1.5"],
  ])("writes %s as %s", (value, text) => {
    expect(formatCoins(value)).toBe(text);
  });

  it("takes branded amounts", () => {
    expect(formatCoins(asSompi(5n))).toBe("0.00000005");
  });
});
