/** Tests of the units that the gate chooses from, and of what a unit costs. */
import { describe, expect, it } from "vitest";
import { readSourceTree } from "../../tests/architecture/sourceTree.ts";
import { chosenSuites, FLOW_FILES, SUITES } from "../suites.ts";
import { secondsOf, suitesOf, unitsOf } from "./chooseGate.ts";

const suites = chosenSuites();

describe("the units of T2", () => {
  const units = unitsOf(
    readSourceTree().map(({ path }) => path),
    suites,
  );

  it("are its test files without the flows, and the suites of other runners as wholes", () => {
    expect(units).toContain("tests/network/sync/resume.test.ts");
    for (const flow of FLOW_FILES) expect(units).not.toContain(flow);
    const wholes = units.filter((unit) => unit.startsWith("suite:"));
    expect(wholes.toSorted()).toEqual(["suite:fuzz", "suite:kernels", "suite:oracle", "suite:sim"]);
  });

  it("each belong to one suite, all of them to all suites of T2", () => {
    const chosen = suitesOf(units, suites);
    expect(chosen.map(({ suite }) => suite)).toEqual(suites);
    const files = chosen.flatMap((one) => one.files ?? []);
    const wholes = chosen.filter((one) => one.files === undefined);
    expect(files.length + wholes.length).toBe(units.length);
    expect(new Set(files).size).toBe(files.length);
  });
});

it("suites without a chosen unit do not run", () => {
  const chosen = suitesOf(["tests/e2e/wallet/wallet.test.ts", "suite:sim"], suites);
  expect(chosen.map(({ suite, files }) => [suite.name, files])).toEqual([
    ["sim", undefined],
    ["e2e", ["tests/e2e/wallet/wallet.test.ts"]],
  ]);
});

it("a file costs its seconds shared among the workers of its suite", () => {
  const workers = SUITES.find(({ name }) => name === "network")?.workers ?? 0;
  expect(workers).toBeGreaterThan(1);
  const passed = {
    ...{ version: 1 as const, commit: "", tree: "", day: "", machine: "" },
    suites: { sim: 12 },
    files: { "tests/network/a.test.ts": 30, "tests/hashes/b.test.ts": 7 },
  };
  expect(secondsOf({ passed }, suites)).toEqual(
    new Map([
      ["tests/network/a.test.ts", 30 / workers],
      ["tests/hashes/b.test.ts", 7],
      ["suite:sim", 12],
    ]),
  );
  expect(secondsOf({ refused: "edited" }, suites).size).toBe(0);
});
