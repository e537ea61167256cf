/** Tests of the axis of values of a chart. */
import { expect, it } from "vitest";
import { valueRange } from "./valueRange.ts";

it("has some room above and below", () => {
  expect(valueRange(100, 200, false)).toEqual([92, 208]);
  expect(valueRange(100, 200, true)).toEqual([0, 216]);
  expect(valueRange(null, null, false)).toEqual([-0.08, 1.08]);
});

it("puts a level series in the middle", () => {
  expect(valueRange(8, 8, false)).toEqual([4, 12]);
  expect(valueRange(0, 0, true)).toEqual([0, 1]);
  expect(valueRange(-8, -8, false)).toEqual([-12, -4]);
});

/** Numbers that differ in their last digits alone, as those of divisions do. */
it.each([
  [0.1 + 0.2, 0.3],
  [1e8 + 1e-8, 1e8],
  [5 / 3, 1.666_666_666_7],
  [-0.3, -0.1 - 0.2],
  [2 ** 52 + 1, 2 ** 52],
])("takes %d and %d for level, so that marks between the ends are distinct", (high, low) => {
  const [from, to] = valueRange(Math.min(low, high), Math.max(low, high), false);
  const step = (to - from) / 20;
  const marks = Array.from({ length: 20 }, (_, at) => from + at * step);
  expect(new Set(marks).size).toBe(marks.length);
  expect((to - from) / Math.max(Math.abs(to), Math.abs(from))).toBeGreaterThan(0.5);
});
