import { describe, expect, test } from "vitest";
import { searchedAmount } from "./searchedAmount.ts";

describe("a searched amount", () => {
  test.each([
    ["26.947,655", "de", "26947.655"],
    ["26.947,655", "es", "26947.655"],
    ["26,947.655", "en", "26947.655"],
    ["26947.655", "en", "26947.655"],
    ["26.947,6", "de", "26947.6"],
    ["1.234", "de", "1234"],
    ["1.234", "en", "1.234"],
    ["57", "de", "57"],
    ["1,50", "de", "1.5"],
    ["0,0", "de", "0.0"],
    ["rent", "en", "rent"],
    ["", "de", ""],
    ["9".repeat(10_000), "en", "9".repeat(10_000)],
  ])("%j in %s is looked for as %j", (text, locale, plain) => {
    expect(searchedAmount(text, locale)).toBe(plain);
  });
});
