import { expect, it } from "vitest";
import { judgeQuantity, type Quantity } from "./comparison.ts";

const quantity: Quantity = {
  unit: "ms",
  per: "proof",
  ours: [3, 1, 2],
  theirs: [
    { build: "portable", way: "one", samples: [8, 8, 8] },
    { build: "native", way: "one", samples: [5, 4, 40] },
    { build: "native", way: "batch", samples: [6, 7, 6] },
  ],
};

it("the build and way with the least median make the ratio", () => {
  const judged = judgeQuantity(quantity);
  expect(judged).toMatchObject({
    ours: 2,
    theirs: 5,
    ratio: 0.4,
    hardest: { build: "native", way: "one" },
    spread: { ours: { median: 2, least: 1, most: 3 }, theirs: { median: 5, least: 4, most: 40 } },
  });
  expect(judged.builds.map(({ ratio }) => ratio)).toEqual([0.25, 0.4, 2 / 6]);
});

it("there is no ratio against nothing", () => {
  expect(() => judgeQuantity({ ...quantity, theirs: [] })).toThrow("nothing to compare with");
});
