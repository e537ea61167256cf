import { expect, test } from "vitest";
import { comparisonJson, comparisonRow, comparisonText, seriesJson } from "./answers.ts";
import type { Comparison } from "./bench.ts";
import { BENCHES } from "./benches.ts";
import { parseBenchCommand } from "./benchOptions.ts";

const compared: Comparison = {
  unit: "ms",
  per: "proof",
  ours: [3, 1, 2],
  theirs: [8, 8, 8],
  theirsBatch: [4],
  phases: { witness: 1, node: { ours: 1, theirs: 2, ratio: 0.5, unit: "µs" } },
  speedup: 1.9,
  peakMiB: 100,
  notes: ["why"],
};

test("a comparison answers with medians, ratios and all samples", () => {
  expect(comparisonJson(compared)).toMatchObject({
    ours: 2,
    theirs: 8,
    unit: "ms",
    ratio: 0.25,
    ratio_batch: 0.5,
    speedup: 1.9,
    peak_mib: 100,
    phases: { witness: 1 },
    samples: { ours: [3, 1, 2], theirs: [8, 8, 8], theirs_batch: [4] },
  });
  const plain: Comparison = { ...compared, ours: [1], theirs: [2], ratio: 0.9 };
  expect(comparisonJson(plain).ratio).toBe(0.9);
});

test("fields that do not apply are missing", () => {
  const { unit, per, ours, theirs, phases, notes } = compared;
  const answer = comparisonJson({ unit, per, ours, theirs, phases, notes });
  for (const field of ["speedup", "peak_mib", "ratio_batch"])
    expect(answer).not.toHaveProperty(field);
});

test("people see the same figures", () => {
  const answer = comparisonJson(compared);
  const [bench] = BENCHES;
  if (bench === undefined) throw new Error("there are benches");
  const text = comparisonText(bench, answer);
  for (const part of ["2 ms", "8 ms", "0.250", "1.90", "100 MiB", "witness", "(why)"]) {
    expect(text).toContain(part);
  }
  expect(comparisonRow("prove --actions 2", "2026-01-02", answer)).toBe(
    "| 2026-01-02 | `prove --actions 2` | 2 ms | 8 ms | 0.25 | batch 0.50, speed-up 1.90, peak 100 MiB | 3 |",
  );
});

test("a series answers per quantity", () => {
  const series = [{ name: "get", unit: "µs", samples: [1, 3, 2] }] as const;
  expect(seriesJson(series)).toEqual({
    median: { get: 2 },
    unit: { get: "µs" },
    samples: { get: [1, 3, 2] },
  });
});

test("the command line names a bench and its sizes", () => {
  expect(parseBenchCommand(["prove", "--actions", "8", "--workers=2", "--json"])).toEqual({
    name: "prove",
    json: true,
    record: false,
    options: {
      actions: 8,
      workers: 2,
      batch: 1,
      blocks: 10_000,
      count: 100_000,
      tx: 0,
      depth: 1_000,
      rounds: 7,
      memory: false,
    },
  });
  expect(parseBenchCommand(["prove", "--memory"]).options).toMatchObject({ actions: 38 });
});

test.each([
  ["--actions"],
  ["--actions", "0"],
  ["--batch=1.5"],
  ["--tx", "27"],
  ["--nonsense"],
  ["a", "b"],
])("%s is refused", (...args) => {
  expect(() => parseBenchCommand(args)).toThrow(Error);
});
