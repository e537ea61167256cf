/** Thresholds of the benchmarks' figures: `thresholds.json`, a row for each figure that has a bound. */
import { readFileSync } from "node:fs";
import * as v from "valibot";

const thresholdForm = v.strictObject({
  /** A command with its sizes, or the name alone for every size of it. */
  bench: v.string(),
  /** Path of the figure in the JSON answer, with points. */
  field: v.string(),
  better: v.picklist(["lower", "higher"]),
  /** A figure worse than this is a fault. */
  must: v.number(),
  /** A figure as good as this is what we are after. */
  want: v.optional(v.number()),
});

/** One bound. */
export type Threshold = v.InferOutput<typeof thresholdForm>;

/** The verdict on a figure: as good as wanted, good enough, or not. Without a wanted figure the first does not apply. */
export type Judgement = Threshold & {
  readonly figure: number;
  readonly verdict: "wanted" | "enough" | "missed";
};

/** All bounds. Throws when the file is not of this form. */
export function readThresholds(): readonly Threshold[] {
  const text = readFileSync(new URL("./thresholds.json", import.meta.url), "utf8");
  return v.parse(v.pipe(v.string(), v.parseJson(), v.array(thresholdForm)), text);
}

/** Judges an answer by the bounds of its command. Throws when it lacks a figure that has one. */
export function judgeAnswer(
  thresholds: readonly Threshold[],
  command: string,
  answer: object,
): readonly Judgement[] {
  const [name] = command.split(" ");
  return thresholds
    .filter(({ bench }) => bench === command || bench === name)
    .map((threshold) => {
      const figure = numberAt(answer, threshold.field);
      return { ...threshold, figure, verdict: verdictOf(threshold, figure) };
    });
}

/** The number at a path with points. Throws when there is none. */
export function numberAt(answer: object, path: string): number {
  let value: unknown = answer;
  for (const name of path.split(".")) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new Error(`the answer has no number ${path}`);
  }
  return value;
}

/** A judgement for people. */
export function judgementText({ field, figure, verdict, must, want, better }: Judgement): string {
  const side = better === "lower" ? "at most" : "at least";
  const wish = want === undefined ? "" : `, wanted ${side} ${want}`;
  return `  ${verdict.padEnd(7)} ${field} ${figure.toFixed(3)}: must be ${side} ${must}${wish}`;
}

function verdictOf({ better, must, want }: Threshold, figure: number): Judgement["verdict"] {
  const reaches = (bound: number) => (better === "lower" ? figure <= bound : figure >= bound);
  if (!reaches(must)) return "missed";
  return want !== undefined && reaches(want) ? "wanted" : "enough";
}
