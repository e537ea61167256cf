import { expect, it } from "vitest";
import { BENCHES } from "./benches.ts";
import { canonicalCommand, parseBenchCommand } from "./benchOptions.ts";
import {
  judgeAnswer,
  judgementText,
  numberAt,
  readThresholds,
  type Threshold,
} from "./thresholds.ts";

const ratio: Threshold = {
  bench: "scan",
  field: "a.ratio",
  better: "lower",
  must: 1.15,
  want: 0.9,
};
const speed: Threshold = { bench: "ibd", field: "speed", better: "higher", must: 100 };
const verdict = (threshold: Threshold, answer: object) =>
  judgeAnswer([threshold], threshold.bench, answer).map((one) => one.verdict);

it("a figure is as wanted, enough or missed; its bounds belong to the better side", () => {
  expect(verdict(ratio, { a: { ratio: 0.9 } })).toEqual(["wanted"]);
  expect(verdict(ratio, { a: { ratio: 0.91 } })).toEqual(["enough"]);
  expect(verdict(ratio, { a: { ratio: 1.15 } })).toEqual(["enough"]);
  expect(verdict(ratio, { a: { ratio: 1.16 } })).toEqual(["missed"]);
  expect(verdict(speed, { speed: 100 })).toEqual(["enough"]);
  expect(verdict(speed, { speed: 99 })).toEqual(["missed"]);
});

it("a bound is for its command, or for every size of its bench", () => {
  const sized: Threshold = { ...speed, bench: "ibd --blocks 5" };
  expect(judgeAnswer([speed, sized], "ibd --blocks 5", { speed: 1 })).toHaveLength(2);
  expect(judgeAnswer([speed, sized], "ibd --blocks 6", { speed: 1 })).toHaveLength(1);
  expect(judgeAnswer([speed, sized], "scan", { speed: 1 })).toHaveLength(0);
});

it("an answer without the figure is no answer", () => {
  expect(() => judgeAnswer([speed], "ibd", { fast: 1 })).toThrow("no number speed");
  expect(() => numberAt({ speed: Number.NaN }, "speed")).toThrow("no number speed");
  expect(numberAt({ paces: [{ ms: 1 }, { ms: 2 }] }, "paces.1.ms")).toBe(2);
});

it("people read the bounds beside the figure", () => {
  const text = judgeAnswer([ratio], "scan", { a: { ratio: 1 } }).map(judgementText);
  expect(text).toEqual(["  enough  a.ratio 1.000: must be at most 1.15, wanted at most 0.9"]);
});

it("every bound that is kept is of a bench, with sizes as the program writes them, and can be met", () => {
  const thresholds = readThresholds();
  expect(thresholds.length).toBeGreaterThan(0);
  for (const { bench, better, must, want = must } of thresholds) {
    const { name = "", options } = parseBenchCommand(bench.split(" "));
    expect(BENCHES.map((known) => known.name)).toContain(name);
    expect([name, canonicalCommand(name, options)]).toContain(bench);
    expect(better === "lower" ? want <= must : want >= must).toBe(true);
  }
});
