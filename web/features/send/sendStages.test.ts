import { expect, test } from "vitest";
import { overallFraction, stageState, STAGES } from "./sendStages.ts";

const ONE = { part: 1, parts: 1 };

test("the bar never falls from stage to stage", () => {
  const course = [
    overallFraction({ ...ONE, stage: "building", fraction: null }, 0),
    overallFraction({ ...ONE, stage: "building", fraction: null }, 5),
    overallFraction({ ...ONE, stage: "building", fraction: null }, 500),
    overallFraction({ ...ONE, stage: "proving", fraction: null }, 20),
    overallFraction({ ...ONE, stage: "proving", fraction: 0.5 }, 20),
    overallFraction({ ...ONE, stage: "proving", fraction: 1 }, 20),
    overallFraction({ ...ONE, stage: "signing", fraction: null }, 20),
    overallFraction({ ...ONE, stage: "broadcasting", fraction: null }, 20),
    overallFraction({ ...ONE, stage: "sent", fraction: 1 }, 20),
  ];
  expect(course).toEqual(course.toSorted((a, b) => a - b));
  expect(course.at(-1)).toBe(1);
});

test("a fraction beyond its bounds stays within the stage", () => {
  expect(overallFraction({ ...ONE, stage: "proving", fraction: 7 }, 20)).toBe(0.94);
  expect(overallFraction({ ...ONE, stage: "proving", fraction: -1 }, 20)).toBe(0.06);
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

test("each of several transactions has its share of the bar", () => {
  const at = (part: number, fraction: number) =>
    overallFraction({ stage: "proving", fraction, part, parts: 4 }, 20);
  expect(at(1, 1)).toBeLessThan(0.25);
  expect(at(2, 0)).toBeGreaterThan(0.25);
  expect(at(4, 1)).toBeLessThan(1);
  expect(overallFraction({ stage: "sent", fraction: 1, part: 4, parts: 4 }, 20)).toBe(1);
});
