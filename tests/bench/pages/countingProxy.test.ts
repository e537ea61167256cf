import { expect, it } from "vitest";
import { mostWithin } from "./countingProxy.ts";

it.each([
  [[], 0],
  [[5], 1],
  [[0, 500, 1_000], 2],
  [[0, 500, 999], 3],
  [[0, 0, 0, 5_000], 3],
])("of %j at most %d are within a second", (times, most) => {
  expect(mostWithin(times)).toBe(most);
});
