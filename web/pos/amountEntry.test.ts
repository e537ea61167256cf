import { describe, expect, it } from "vitest";
import { decimalText } from "@svc/shared/gateway/till/decimals.ts";
import { amountIn, cleaned, typed } from "./amountEntry.ts";

const keys = (text: string, decimals: number): string =>
  [...text].reduce((all, key) => typed(all, key === "<" ? "back" : key, decimals), "");

describe("an amount that is being typed", () => {
  it("has as many decimals as its unit, and one decimal sign", () => {
    expect(keys("12.345", 2)).toBe("12.34");
    expect(keys(".5", 2)).toBe("0.5");
    expect(keys("1..5", 2)).toBe("1.5");
    expect(keys("12.5", 0)).toBe("125");
    expect(keys("007", 2)).toBe("7");
    expect(keys("12.5<<<<<", 2)).toBe("");
    expect(keys("1".repeat(20), 8)).toBe("1".repeat(12));
  });

  it("takes a comma from a keyboard, and nothing that is no amount", () => {
    expect(cleaned(" 12,50 ", 2)).toBe("12.50");
    for (const text of ["1,2,3", "-1", "1e3", "1.234", "abc", "."]) {
      expect(cleaned(text, 2), text).toBe(text === "." ? "." : null);
    }
  });

  it("is read with all decimals, and nothing is none", () => {
    expect(decimalText(amountIn("12.", 2) ?? { digits: 0n, scale: 0 })).toBe("12.00");
    for (const text of ["", "0", "0.00", "."]) expect(amountIn(text, 2), text).toBeNull();
  });
});
