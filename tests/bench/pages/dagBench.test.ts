import { expect, it } from "vitest";
import { dagBench } from "./dagBench.ts";
import { readThresholds } from "../run/thresholds.ts";

it("has a bound on the frames of the graph and on its memory", () => {
  const bounds = readThresholds().filter(({ bench }) => bench === dagBench.name);
  expect(bounds.map(({ field, must }) => [field, must])).toEqual([
    ["frame_p95_ms", 8],
    ["grown_mib", 2],
  ]);
});
