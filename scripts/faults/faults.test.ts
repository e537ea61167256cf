/** The data of faults, and the parts of their runner that decide; the runner itself needs hours. */
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { ROOT } from "../lib/command.ts";
import type { TestFailure } from "../lib/suiteResult.ts";
import { SUITES } from "../suites.ts";
import { drawFaults, readFaults, withFault, type Fault } from "./fault.ts";
import { tryFault, type TrialParts } from "./faultJudge.ts";
import { FaultRecords, type FaultRecord } from "./faultRecords.ts";
import { crateSteps, reachingSteps, stepsOf, type FaultStep } from "./faultSteps.ts";
import type { StepEnd } from "./runStep.ts";

const LIST = readFaults(readFileSync(new URL("faults.json", import.meta.url), "utf8"));

function faultOf(change: Fault["change"], id = "one"): Fault {
  return { id, suite: "unit", test: "a test", file: "a.ts", what: "it is wrong", change };
}

describe("the faults", () => {
  it.for(LIST.faults.map((fault) => [fault.id, fault] as const))(
    "%s fits its file",
    ([, fault]) => {
      const changed = withFault(readFileSync(join(ROOT, fault.file), "utf8"), fault);
      // What is no program would be caught by whatever loads it.
      if (fault.file.endsWith(".ts")) expect(stripTypeScriptTypes(changed)).not.toBe("");
    },
  );

  it("have ids of their own, are enough to draw from, and what is left out has a reason", () => {
    expect(new Set(LIST.faults.map(({ id }) => id)).size).toBe(LIST.faults.length);
    expect(LIST.faults.length).toBeGreaterThanOrEqual(60);
    for (const { test, reason } of LIST.leftOut) expect(reason, test).not.toBe("");
    const suites = new Set(SUITES.map(({ name }) => name));
    for (const { id, suite } of LIST.faults) expect(suites, id).toContain(suite);
  });

  it("are refused in another form", () => {
    expect(() => readFaults('{"faults":[{"id":"a"}],"leftOut":[]}')).toThrow("Invalid key");
    const empty = { faults: [faultOf([])], leftOut: [] };
    expect(() => readFaults(JSON.stringify(empty))).toThrow("Invalid length");
  });
});

describe("the draw", () => {
  const ids = (list: readonly Fault[]) => list.map(({ id }) => id);

  it("is the same for a seed, another for another, and keeps the order of the list", () => {
    const drawn = ids(drawFaults(LIST.faults, 60, "39"));
    expect(drawn).toHaveLength(60);
    expect(ids(drawFaults(LIST.faults.toReversed(), 60, "39"))).toEqual(drawn.toReversed());
    expect(ids(drawFaults(LIST.faults, 60, "40"))).not.toEqual(drawn);
    const all = ids(LIST.faults);
    expect(drawn).toEqual(all.filter((id) => drawn.includes(id)));
  });

  it("changes by one fault at most when another is added", () => {
    const drawn = ids(drawFaults(LIST.faults, 60, "39"));
    const more = [...LIST.faults, faultOf([{ from: "a", to: "b" }])];
    const again = ids(drawFaults(more, 60, "39"));
    const lost = drawn.filter((id) => !again.includes(id));
    expect(lost.length).toBeLessThanOrEqual(1);
  });
});

describe("a fault in a text", () => {
  it("changes every part, each found in what the parts before it have left", () => {
    const change = [
      { from: "a < b", to: "a <= b" },
      { from: "<= b;", to: "<= $&;" },
    ];
    expect(withFault("x = a < b;", faultOf(change))).toBe("x = a <= $&;");
  });

  it("is refused where a part is missing, comes twice, or stays as it is", () => {
    const one = (from: string, to: string) => faultOf([{ from, to }]);
    expect(() => withFault("x", one("y", "z"))).toThrow("holds 0 times");
    expect(() => withFault("x x", one("x", "z"))).toThrow("holds 2 times");
    expect(() => withFault("x", one("x", "x"))).toThrow("changes nothing");
  });
});

describe("steps of a fault", () => {
  const names = (steps: readonly FaultStep[]) => steps.map(({ name }) => name);

  it("are the suites whose tests can import its file", () => {
    expect(names(reachingSteps("shared/base/brand.ts"))).toEqual([
      ...["unit beside", "unit", "processes", "contract", "decoders", "pages"],
    ]);
    expect(names(reachingSteps("node-server/storage/kv.ts"))).toEqual([
      ...["unit beside", "contract", "unit", "processes", "decoders"],
    ]);
    expect(names(reachingSteps("edge/gateway/worker.ts"))).toEqual(["edge"]);
    expect(names(reachingSteps("scripts/lib/tally.ts"))).toEqual([
      ...["unit beside", "unit", "processes"],
    ]);
  });

  it("are the tests of its crate before those of the whole core", () => {
    expect(names(crateSteps("chain"))).toEqual(["core chain_tests", "core"]);
    expect(crateSteps("sim")).toEqual([]);
  });

  it("end with flows of its room and with what the rule chooses", async () => {
    const steps = await stepsOf("node-server/p2p/sync/fetchBodies.ts", "0123456789");
    const [flow, first] = steps.filter(({ needsBuild }) => needsBuild);
    expect(flow?.name).toBe("flows tests/network/sync/initialSync.test.ts");
    expect(first).toMatchObject({ why: "room node-server/p2p/sync", suite: { tier: "T2" } });
  });
});

describe("a trial", () => {
  const [unit] = reachingSteps("shared/base/brand.ts");
  const steps = (...tiers: readonly ("T1" | "T2")[]): readonly FaultStep[] =>
    tiers.flatMap((tier, at) =>
      unit === undefined
        ? []
        : [
            {
              ...unit,
              name: `step ${at}`,
              suite: { ...unit.suite, tier },
              needsBuild: tier === "T2",
            },
          ],
    );
  const failure: TestFailure = { file: "a.test.ts", test: "a", reason: "expected 1\nto be 2" };
  const green: StepEnd = { verdict: "green", failures: [], files: 3, passed: 9, output: "" };
  const red: StepEnd = { ...green, verdict: "red", failures: [failure] };
  const parts = (ends: Partial<TrialParts>): TrialParts => ({
    run: async () => green,
    runSound: async () => green,
    setUp: async () => true,
    tell: () => undefined,
    ...ends,
  });

  it("ends with the first red step, and says which test it was", async () => {
    const run: TrialParts["run"] = async ({ name }) => (name === "step 0" ? green : red);
    const trial = await tryFault(steps("T1", "T1", "T1"), parts({ run }));
    expect(trial).toMatchObject({ verdict: "caught", file: "a.test.ts", reason: "expected 1" });
    expect(trial.ran).toEqual(["step 0 (3 files)", "step 1 (3 files)"]);
  });

  it("goes on behind a test that fails without the fault too", async () => {
    const all = parts({ run: async () => red, runSound: async () => red });
    expect(await tryFault(steps("T1", "T1"), all)).toMatchObject({ verdict: "survived" });
  });

  it("goes on behind a test that is not found alone", async () => {
    const none = async () => ({ ...green, passed: 0 });
    const all = parts({ run: async () => red, runSound: none });
    expect((await tryFault(steps("T1"), all)).verdict).toBe("survived");
  });

  it("goes on behind a false alarm, and finds what it hid", async () => {
    const alarm: StepEnd = { ...red, failures: [{ ...failure, test: "flaky" }] };
    const run: TrialParts["run"] = async (_step, choice) => {
      if (choice === "first") return alarm;
      if (choice === "all") return { ...red, failures: [...alarm.failures, failure] };
      return choice.test === "flaky" ? green : red;
    };
    expect(await tryFault(steps("T1"), parts({ run }))).toMatchObject({ test: "a" });
    const alone: TrialParts["run"] = async (_step, choice) =>
      typeof choice === "string" ? alarm : green;
    expect((await tryFault(steps("T2"), parts({ run: alone }))).verdict).toBe("survived");
  });

  it("survives when nothing is red", async () => {
    const trial = await tryFault(steps("T1", "T2"), parts({}));
    expect(trial).toMatchObject({ verdict: "survived", test: null });
    expect(trial.ran).toHaveLength(2);
  });

  it("says nothing when tests cannot be run or the fault cannot be built", async () => {
    const broken = parts({ run: async () => ({ ...green, verdict: "broken", output: "no" }) });
    await expect(tryFault(steps("T1"), broken)).rejects.toThrow("cannot be run");
    const unbuilt = parts({ setUp: async () => false });
    await expect(tryFault(steps("T2"), unbuilt)).rejects.toThrow("cannot be built");
  });
});

describe("records", () => {
  const record = (id: string, verdict: FaultRecord["verdict"]): FaultRecord => ({
    ...{ id, commit: "c", verdict, suite: "unit", file: "a.test.ts", test: "a", reason: "" },
    ...{ why: "reaches", ran: ["unit"], seconds: 1, day: "2026-11-28" },
  });

  it("are found again, the last one of a fault, also behind a line that a kill cut off", () => {
    const folder = folderOfTest();
    new FaultRecords(folder, "c").add(record("one", "survived"));
    const file = join(folder, "c.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n{"id":"two","comm`);
    const again = new FaultRecords(folder, "c");
    expect(again.lastOf("two")).toBeUndefined();
    again.add(record("one", "caught"));
    expect(new FaultRecords(folder, "c").lastOf("one")?.verdict).toBe("caught");
    expect(new FaultRecords(folder, "d").lastOf("one")).toBeUndefined();
  });
});
