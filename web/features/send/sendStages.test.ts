import { expect, test } from "vitest";
import { overallFraction, stageState, STAGES } from "./sendStages.ts";

test("the bar never falls from stage to stage", () => {
  const course = [
    overallFraction({ stage: "building", fraction: null }, 0),
    overallFraction({ stage: "building", fraction: null }, 5),
    overallFraction({ stage: "building", fraction: null }, 500),
    overallFraction({ stage: "proving", fraction: null }, 20),
    overallFraction({ stage: "proving", fraction: 0.5 }, 20),
    overallFraction({ stage: "proving", fraction: 1 }, 20),
    overallFraction({ stage: "signing", fraction: null }, 20),
    overallFraction({ stage: "broadcasting", fraction: null }, 20),
    overallFraction({ stage: "sent", fraction: 1 }, 20),
  ];
  expect(course).toEqual(course.toSorted((a, b) => a - b));
  expect(course.at(-1)).toBe(1);
});

test("a fraction beyond its bounds stays within the stage", () => {
  expect(overallFraction({ stage: "proving", fraction: 7 }, 20)).toBe(0.94);
  expect(overallFraction({ stage: "proving", fraction: -1 }, 20)).toBe(0.06);
});

test("stages before the current one are done, after a sent payment all are", () => {
  expect(STAGES.map(({ stage }) => stageState(stage, "proving"))).toEqual([
    "done",
    "now",
    "next",
    "next",
  ]);
  expect(STAGES.every(({ stage }) => stageState(stage, "sent") === "done")).toBe(true);
});
