import { describe, expect, it } from "vitest";
import { asTimestampMs } from "../base/brand.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import { decodeToldRates, encodeToldRates } from "./toldRates.ts";

const euro = {
  ...{ currency: "EUR", rate: "8.00", source: "exchange.example" },
  toldMs: asTimestampMs(1_785_100_000_000n),
};

describe("prices that an operator tells", () => {
  it("are read as they were written, without what is no price", () => {
    const stale = { ...euro, isStale: true };
    expect(decodeToldRates(encodeToldRates([stale]))).toEqual([euro]);
    expect(decodeToldRates(encodeToldRates([]))).toEqual([]);
  });

  it.each([
    [{ currency: "eur" }],
    [{ rate: "0.00" }],
    [{ rate: "-1" }],
    [{ rate: 8 }],
    [{ rate: "1e9" }],
    [{ source: "" }],
    [{ source: "x".repeat(MERCHANT_LIMITS.rateSourceChars + 1) }],
    [{ toldMs: "-1" }],
  ])("are refused with %j", (change) => {
    const told = { ...euro, toldMs: String(euro.toldMs), ...change };
    expect(() => decodeToldRates(JSON.stringify({ rates: [told] }))).toThrow(/api\//);
  });

  it("are refused where they are no JSON, or too many", () => {
    expect(() => decodeToldRates("{")).toThrow("codec/bad-json");
    const many = Array.from({ length: MERCHANT_LIMITS.toldRates + 1 }, () => euro);
    expect(() => decodeToldRates(encodeToldRates(many))).toThrow(/api\//);
  });
});
