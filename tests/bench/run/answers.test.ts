import { expect, test } from "vitest";
import { comparisonJson, comparisonRows, comparisonText, seriesJson } from "./answers.ts";
import { BENCHES } from "./benches.ts";
import type { Comparison, Theirs } from "./comparison.ts";
import type { PeerAbout } from "../peers/peerBuilds.ts";

const theirs: readonly Theirs[] = [
  { build: "portable", way: "one", samples: [8, 8, 8] },
  { build: "portable", way: "batch", samples: [16, 16, 16] },
  { build: "asm", way: "one", samples: [5, 5, 5] },
  { build: "native", way: "one", samples: [4, 3, 5] },
];
const asm: PeerAbout = {
  build: "asm",
  backend: "x86-64",
  features: ["asm", "glv"],
  opt_level: "3",
  target_cpu: "default",
  target_features: "sse2",
  flags: "",
};
const compared: Comparison = {
  unit: "ms",
  per: "proof",
  ours: [3, 1, 2],
  theirs,
  more: { later: { unit: "ms", per: "later start", ours: [1, 1, 1], theirs } },
  peers: [asm],
  phases: { witness: 1 },
  cores: 2,
  alone: [4, 4],
  shared: [2, 2],
  notes: ["why"],
};

test("a comparison answers with medians, the hardest build's ratio and all samples", () => {
  expect(comparisonJson(compared)).toMatchObject({
    ours: 2,
    theirs: 4,
    unit: "ms",
    ratio: 0.5,
    hardest: { build: "native", way: "one" },
    builds: [
      { build: "portable", way: "one", ratio: 0.25 },
      { build: "portable", way: "batch", ratio: 0.125 },
      { build: "asm", ratio: 0.4 },
      { build: "native", ratio: 0.5 },
    ],
    more: { later: { ratio: 0.25, per: "later start" } },
    ratio_per_core: 1,
    speedup: 2,
    phases: { witness: 1 },
    peers: [asm],
    samples: {
      ours: [3, 1, 2],
      "native one": [4, 3, 5],
      "later ours": [1, 1, 1],
      "one worker": [4, 4],
      "all workers": [2, 2],
    },
  });
});

test("fields that do not apply are missing", () => {
  const { unit, per, ours, phases, peers, notes } = compared;
  const answer = comparisonJson({ unit, per, ours, theirs, phases, peers, notes });
  for (const field of ["speedup", "ratio_per_core", "more"]) {
    expect(answer).not.toHaveProperty(field);
  }
});

test("people see the same figures", () => {
  const answer = comparisonJson(compared);
  const [bench] = BENCHES;
  if (bench === undefined) throw new Error("there are benches");
  const text = comparisonText(bench, answer);
  for (const part of [
    "ours     2 (1 to 3) ms per proof",
    "portable 8 ms, ratio 0.250 (one)",
    "ratio    0.500 against native, one, 4 (3 to 5) ms",
    "per core 1.000",
    "speed-up 2.00",
    "ours     1 (1 to 1) ms per later start",
    "witness",
    "asm: arithmetic x86-64, features asm, glv, opt-level 3, target-cpu default",
    "(why)",
  ]) {
    expect(text).toContain(part);
  }
});

test("a row shows all builds, the hardest ratio, and the spread of both sides", () => {
  const [row, later] = comparisonRows("prove", "a day", comparisonJson(compared)).split("\n");
  expect(row).toBe(
    "| a day | `prove`, proof | 2 ms | 8 | 5 | 4 | **0.50** (native) | per core 1.00, speed-up 2.00 | 3: 1 to 3; 3 to 5 |",
  );
  expect(later).toBe(
    "| a day | `prove`, later start | 1 ms | 8 | 5 | 4 | **0.25** (native) |  | 3: 1 to 1; 3 to 5 |",
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
