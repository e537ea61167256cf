import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { sparkline } from "./sparkline.ts";

const SEED = testSeed(21);
const BOX = { width: 100, height: 10, fromZero: true };

describe("a sparkline", () => {
  it("goes from the left edge to the right one, larger values above", () => {
    const { line, area, range } = sparkline([0, 5, 10], BOX);
    expect(line).toBe("M0 10L50 5L100 0");
    expect(area).toBe("M0 10L50 5L100 0L100 10L0 10Z");
    expect(range).toEqual([0, 10]);
  });

  it("has a gap where nothing was measured, and a dot where a value has no neighbour", () => {
    expect(sparkline([1, 1, null, 0, null, 1], BOX)).toMatchObject({
      line: "M0 0L20 0",
      area: "M0 0L20 0L20 10L0 10Z",
      dots: "M60 10h0M100 0h0",
    });
  });

  it("may begin at the least value in place of zero", () => {
    expect(sparkline([90, 100], { ...BOX, fromZero: false }).line).toBe("M0 10L100 0");
    expect(sparkline([90, 100], BOX).line).toBe("M0 1L100 0");
  });

  it("is empty without a value, level for equal ones, a dot for a single one", () => {
    expect(sparkline([], BOX)).toEqual({ line: "", area: "", dots: "", range: null });
    expect(sparkline([null, Number.NaN], BOX).line).toBe("");
    expect(sparkline([0, 0], BOX).line).toBe("M0 5L100 5");
    expect(sparkline([7], BOX)).toEqual({ line: "", area: "", dots: "M50 5h0", range: [7, 7] });
  });

  test("never leaves its box and holds nothing but a path", () => {
    console.info(`sparkline: SVC_SEED=${SEED}`);
    const value = fc.oneof(fc.double(), fc.constant(null), fc.double({ min: -1e300, max: 1e300 }));
    const property = fc.property(
      fc.array(value, { maxLength: 60 }),
      fc.boolean(),
      (values, zero) => {
        const { line, dots } = sparkline(values, { ...BOX, fromZero: zero });
        const numbers = (
          `${line}${dots.replaceAll("h0", "")}`.match(/-?[\d.]+(?:e[+-]?\d+)?/g) ?? []
        ).map(Number);
        expect(line).toMatch(/^(?:[ML]-?[\d.]+ -?[\d.]+)*$/);
        expect(dots).toMatch(/^(?:M[\d.]+ [\d.]+h0)*$/);
        numbers.forEach((number, index) => {
          expect(number).toBeGreaterThanOrEqual(0);
          expect(number).toBeLessThanOrEqual(index % 2 === 0 ? BOX.width : BOX.height);
        });
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 300 });
  });
});
