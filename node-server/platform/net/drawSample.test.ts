import { expect, it } from "vitest";
import { drawSample } from "./drawSample.ts";

it("draws each once, as many as there are or are wanted, and leaves the list as it is", () => {
  const list = [1, 2, 3, 4, 5];
  for (const at of [0, 0.3, 0.999]) {
    for (const count of [0, 1, 3, 5, 9]) {
      const drawn = drawSample(list, count, () => at);
      expect(drawn).toHaveLength(Math.min(count, list.length));
      expect(new Set(drawn).size).toBe(drawn.length);
      expect(list).toEqual([1, 2, 3, 4, 5]);
    }
  }
});

it("leads to any of them with the lot", () => {
  const firsts = [0, 0.2, 0.4, 0.6, 0.8].map((at) => drawSample([1, 2, 3, 4, 5], 1, () => at)[0]);
  expect(firsts).toEqual([1, 2, 3, 4, 5]);
});
