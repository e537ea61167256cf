import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { suiteRows } from "./lib/suiteTable.ts";
import {
  chooseSuites,
  chosenSuites,
  FLOW_FILES,
  FUZZ_TESTS,
  gateSuites,
  SIM_TESTS,
  SUITES,
} from "./suites.ts";

it("docs/testing.md shows the suites as they are", () => {
  const text = readFileSync(new URL("../docs/testing.md", import.meta.url), "utf8");
  expect(text).toContain(`---:|---:|\n${suiteRows(SUITES)}\n\n`);
});

it("the gate and what is chosen are the reduced sizes, each suite once and cheap tiers first", () => {
  const gate = gateSuites().map(({ name }) => name);
  const chosen = chosenSuites().map(({ name }) => name);
  expect([...gate, ...chosen]).toEqual(chooseSuites("reduced", []).map(({ name }) => name));
  expect(gate.slice(0, 2)).toEqual(["unit", "processes"]);
  expect(chosen).toContain("e2e");
  const tiers = SUITES.map(({ tier }) => tier);
  expect(tiers).toEqual(tiers.toSorted());
});

it("each flow of the gate is a file that is there, and one that no other suite runs", () => {
  const config = readFileSync(new URL("../vitest.config.ts", import.meta.url), "utf8");
  expect(config).toContain('project("flows", [...FLOW_FILES]');
  expect(new Set(FLOW_FILES).size).toBe(FLOW_FILES.length);
  for (const file of FLOW_FILES) {
    expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
  }
});

it("suites have names of their own and reduced sizes within full ones", () => {
  expect(new Set(SUITES.map(({ name }) => name)).size).toBe(SUITES.length);
  for (const { name, seconds } of SUITES) {
    expect(seconds.reduced, name).toBeLessThanOrEqual(seconds.full);
  }
});

it("a suite asks set-up for parts that set-up has, and no other command asks for these", () => {
  const setup = readFileSync(new URL("setup.sh", import.meta.url), "utf8");
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const parts = SUITES.flatMap((suite) => suite.setup ?? []);
  expect(parts).toContain("php");
  for (const part of parts) {
    expect(setup).toContain(`\n  ${part}) setup_${part} ;;\n`);
    expect(manifest).not.toMatch(new RegExp(`setup\\.sh[^&"]* ${part}\\b`));
  }
});

it("suites of hours run at full size and only when they are named", () => {
  const named = (size: "reduced" | "full", names: string[]) =>
    chooseSuites(size, names).map(({ name }) => name);
  expect(named("full", [])).not.toContain("mutants");
  expect(named("full", [])).toContain("e2e");
  expect(named("full", ["mutants", "kills"])).toEqual(["kills", "mutants"]);
  expect(() => named("reduced", ["kills"])).toThrow("npm run test:full -- kills");
  expect(() => named("full", ["walks"])).toThrow("no suite called walks");
});

it("every test program of the crates that have suites of their own is in its suite, and in no other crate", () => {
  const crates = new URL("../wasm-core/crates/", import.meta.url);
  for (const [crate, names] of [
    ["sim", SIM_TESTS],
    ["fuzz", FUZZ_TESTS],
  ] as const) {
    expect(programsOf(new URL(`${crate}/tests/`, crates))).toEqual(names);
  }
  for (const crate of readdirSync(crates)) {
    if (crate === "sim" || crate === "fuzz") continue;
    const others = programsOf(new URL(`${crate}/tests/`, crates));
    expect(
      others.filter((name) => [...SIM_TESTS, ...FUZZ_TESTS].includes(name)),
      crate,
    ).toEqual([]);
  }
});

function programsOf(folder: URL): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".rs"))
    .map((name) => name.slice(0, -3))
    .toSorted();
}
