import { expect, it } from "vitest";
import { median, percentile } from "./median.ts";

it("median takes the middle of the sorted samples", () => {
  expect(median([5])).toBe(5);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow("no samples");
});

it("a percentile is a sample that so many do not exceed", () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile([7, 3], 0.99)).toBe(7);
  expect(percentile([7, 3], 0.5)).toBe(3);
  expect(() => percentile([], 0.5)).toThrow("no samples");
});
