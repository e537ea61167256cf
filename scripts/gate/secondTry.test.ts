/** Tests of the second try: which failures get one, and what becomes of a false alarm. */
import { describe, expect, it } from "vitest";
import type { ChosenEnd } from "../lib/runSuites.ts";
import type { TestFailure } from "../lib/suiteResult.ts";
import type { Suite, Tier } from "../suites.ts";
import type { FlakyRow } from "./flakyRows.ts";
import { choiceOf, tryAgain, TRIED_AGAIN } from "./secondTry.ts";

const COMMIT = "0123456789ab";

const suiteOf = (tier: Tier, kind: Suite["kind"] = "vitest"): Suite => ({
  name: `suite of ${tier}`,
  tier,
  kind,
  arguments: [],
  seconds: { reduced: 60, full: 60 },
  about: "a fake",
});

const failureOf = (test: string | null, file: string | null = "a.test.ts"): TestFailure => ({
  file,
  test,
  reason: "Error: the reason",
});

function endOf(failures: readonly TestFailure[], tier: Tier = "T2"): ChosenEnd {
  const tally = { passed: 5, failed: failures.length, skipped: 0 };
  return {
    suite: suiteOf(tier),
    end: { tally, failures, files: new Map(), status: 1, seconds: 1 },
  };
}

/** Tries again; tests whose names hold `flaky` pass alone. */
async function again(ends: readonly ChosenEnd[], rows: readonly FlakyRow[] = []) {
  const tried: (string | null)[] = [];
  let told = "";
  const result = await tryAgain(ends, {
    runAlone: (_, { test }) => {
      tried.push(test);
      return Promise.resolve({ passed: test?.includes("flaky") === true, output: "all is well" });
    },
    rows,
    commit: COMMIT,
    seed: undefined,
    tell: (text) => void (told += text),
  });
  return { tried, told, tallies: result.map(({ end }) => end.tally), result };
}

describe("a test of T2 that failed", () => {
  it("counts as passed when it passes alone, and is told with both outputs and its row", async () => {
    const { told, tallies } = await again([endOf([failureOf("is flaky")])]);
    expect(tallies).toEqual([{ passed: 6, failed: 0, skipped: 0 }]);
    for (const part of ["Error: the reason", "all is well", COMMIT, "the usual seed", "load "]) {
      expect(told).toContain(part);
    }
    const row = { suite: "suite of T2", file: "a.test.ts", test: "is flaky", commit: COMMIT };
    expect(told).toContain(`add to tests/flaky.json: ${JSON.stringify(row)}`);
  });

  it("has failed when it fails again", async () => {
    const { told, tallies } = await again([endOf([failureOf("is wrong")])]);
    expect(tallies).toEqual([{ passed: 5, failed: 1, skipped: 0 }]);
    expect(told).toBe("");
  });

  it("has failed when the register has it already", async () => {
    const row = {
      suite: "suite of T2",
      file: "a.test.ts",
      test: "is flaky",
      commit: "9".repeat(12),
    };
    const { told, tallies } = await again([endOf([failureOf("is flaky")])], [row]);
    expect(tallies).toEqual([{ passed: 5, failed: 1, skipped: 0 }]);
    expect(told).toContain("mend it first");
  });

  it("is the third false alarm of a run, which fails it, over all suites", async () => {
    const two = endOf([failureOf("flaky one"), failureOf("flaky two")]);
    const { tallies } = await again([two, endOf([failureOf("flaky three")])]);
    expect(tallies.map(({ failed }) => failed)).toEqual([0, 1]);
  });
});

it("tests of T0, T1 and T3, and suites that ended as a whole, are not tried again", async () => {
  const tiers = (["T0", "T1", "T3"] as const).map((tier) => endOf([failureOf("is flaky")], tier));
  const { tried, tallies } = await again([...tiers, endOf([failureOf(null, null)])]);
  expect(tried).toEqual([]);
  expect(tallies.map(({ failed }) => failed)).toEqual([1, 1, 1, 1]);
});

it("a run that is red anyway tries so many and no more", async () => {
  const many = Array.from({ length: TRIED_AGAIN + 4 }, (_, at) => failureOf(`is wrong ${at}`));
  const { tried, tallies } = await again([endOf(many)]);
  expect(tried).toHaveLength(TRIED_AGAIN);
  expect(tallies[0]?.failed).toBe(many.length);
});

describe("the choice of one test", () => {
  it("is its file and its whole name, whatever signs the name has", () => {
    const { part = [] } = choiceOf(suiteOf("T2"), failureOf("a (b) costs $5 [c]?"));
    expect(part.slice(0, 2)).toEqual(["a.test.ts", "-t"]);
    const pattern = new RegExp(part[2] ?? "");
    expect(pattern.test("a (b) costs $5 [c]?")).toBe(true);
    expect(pattern.test("a (b) costs $5 [c]? and more")).toBe(false);
  });

  it("is a whole file that failed outside of its tests", () => {
    expect(choiceOf(suiteOf("T2"), failureOf(null))).toEqual({ part: ["a.test.ts"] });
  });

  it("of cargo is the test's path, and of a program the whole suite", () => {
    const failure = failureOf("a::b", null);
    expect(choiceOf(suiteOf("T2", "cargo"), failure)).toEqual({ filter: ["--exact", "a::b"] });
    expect(choiceOf(suiteOf("T2", "wasm"), failure)).toEqual({});
  });
});
