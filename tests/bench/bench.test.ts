import { expect, it } from "vitest";
import { median } from "./bench.ts";
import { BENCHES } from "./benches.ts";

it("median takes the middle of the sorted samples", () => {
  expect(median([5])).toBe(5);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow("no samples");
});

it("benches have names of their own", () => {
  expect(new Set(BENCHES.map(({ name }) => name)).size).toBe(BENCHES.length);
});
