import { describe, expect, it } from "vitest";
import { markWriter, placeWriter, spanText, valueWriter } from "./chartForm.ts";

describe("numbers of a chart", () => {
  it("have few digits, a unit, and the signs of the language", () => {
    expect(valueWriter("hashrate", "en")(164_093_826)).toBe("164.1\u00a0MH/s");
    expect(valueWriter("hashrate", "de")(1.5)).toBe("1,5\u00a0H/s");
    expect(valueWriter("number", "en")(81_234_567.5)).toBe("81.23\u00a0M");
    expect(valueWriter("number", "en")(17)).toBe("17");
    expect(valueWriter("share", "en")(0.0066)).toBe("0.66%");
    expect(valueWriter("rate", "es")(1.01)).toBe("1,01");
  });

  it("are counted in steps of a largest whole unit", () => {
    expect(spanText(300, "en")).toBe("5 minutes");
    expect(spanText(10_800, "de")).toBe("3 Stunden");
    expect(spanText(86_400, "es")).toBe("1 día");
    expect(spanText(90, "en")).toBe("1.5 minutes");
  });

  it("stand at a time in UTC, or at a score", () => {
    expect(placeWriter("time", "en")(1_795_678_800)).toBe("Nov 26, 2026, 7:40 AM");
    expect(placeWriter("score", "de")(1_276_152)).toBe("1.276.152");
    expect(markWriter("time", "de", 86_400)(1_795_678_800)).toBe("07:40");
    expect(markWriter("time", "en", 86_400)(1_795_678_800)).toBe("7:40 AM");
    expect(markWriter("time", "en", 2_592_000)(1_795_678_800)).toBe("Nov 26");
    expect(markWriter("score", "en", 1)(1_300_000)).toBe("1.3\u00a0M");
  });
});
