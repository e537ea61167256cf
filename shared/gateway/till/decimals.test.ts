import { describe, expect, it } from "vitest";
import { decimalText, percentOf, readDecimal, sumOf, withScale } from "./decimals.ts";

const of = (text: string) => readDecimal(text) ?? { digits: -1n, scale: 0 };

describe("decimals", () => {
  it("are read and written digit for digit", () => {
    for (const text of ["0", "0.05", "7", "999999999999.99999999", "10.00"]) {
      expect(decimalText(of(text))).toBe(text);
    }
    for (const text of ["", "-1", "1.", ".5", "1e3", "1,5", "0x1", "1".repeat(31)]) {
      expect(readDecimal(text), text).toBeNull();
    }
  });

  it("are added with the decimals of the finer one", () => {
    expect(decimalText(sumOf(of("0.1"), of("0.25")))).toBe("0.35");
    expect(decimalText(sumOf(of("9999999999.99"), of("0.01")))).toBe("10000000000.00");
    expect(decimalText(withScale(of("3"), 2))).toBe("3.00");
  });

  it("have parts of a hundred, rounded the half up", () => {
    expect(decimalText(percentOf(of("12.50"), 10))).toBe("1.25");
    expect(decimalText(percentOf(of("0.05"), 10))).toBe("0.01");
    expect(decimalText(percentOf(of("0.04"), 10))).toBe("0.00");
    expect(decimalText(percentOf(of("100"), 15))).toBe("15");
  });
});
