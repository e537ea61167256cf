import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cratesWithTests, namedModules, programOf, testFolder } from "./full-runs/testModules.ts";
import { suiteRows } from "./lib/suiteTable.ts";
import { chooseSuites, chosenSuites, FLOW_FILES, gateSuites, SUITES } from "./suites.ts";

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

it("a suite of one crate chooses its test program, which no other crate has", () => {
  for (const name of ["sim", "fuzz"]) {
    const [suite] = chooseSuites("reduced", [name]);
    expect(suite?.arguments).toEqual(["--workspace", "--test", programOf(name)]);
  }
  const programs = cratesWithTests().map(programOf);
  expect(new Set(programs).size).toBe(programs.length);
});

it("every file in a crate's folder of tests is a module of its one test program", () => {
  const crates = readdirSync(new URL("../wasm-core/crates/", import.meta.url)).filter((crate) =>
    existsSync(testFolder(crate)),
  );
  expect(cratesWithTests()).toEqual(crates);
  for (const crate of crates) {
    const manifest = readFileSync(join(testFolder(crate), "..", "Cargo.toml"), "utf8");
    // Cargo would make each file a program, too.
    expect(manifest, crate).toContain("\nautotests = false\n");
    const programs = Array.from(
      manifest.matchAll(/^\[\[test\]\]\nname = "(\w+)"\npath = "tests\/(\w+)\.rs"$/gm),
      ([, name = "", file = ""]) => ({ name, file }),
    );
    expect(programs[0], crate).toEqual({ name: programOf(crate), file: "main" });
    const files = readdirSync(testFolder(crate)).map((name) => name.replace(/\.rs$/, ""));
    const own = programs.map(({ file }) => file);
    expect([...namedModules(crate), ...own].toSorted(), crate).toEqual(files.toSorted());
    // A program beside the one of all modules has its reason in the manifest.
    expect(own.slice(1), crate).toEqual(crate === "kernels" ? ["canary"] : []);
  }
});

it("crates whose sources have no tests make no test program of them, and only these", () => {
  const crates = new URL("../wasm-core/crates/", import.meta.url);
  const without: string[] = [];
  for (const crate of readdirSync(crates)) {
    const manifest = readFileSync(new URL(`${crate}/Cargo.toml`, crates), "utf8");
    for (const [target, texts] of sourcesByTarget(new URL(`${crate}/src/`, crates))) {
      if (texts.length === 0) continue;
      const hasTests = texts.some((text) => /^ *#\[(test|cfg\(test\))\]$/m.test(text));
      const isLeftOut = new RegExp(`^\\[+${target}\\]+\n(.+\n)*test = false$`, "m").test(manifest);
      expect(isLeftOut, `${crate} ${target}`).toBe(!hasTests);
      if (!hasTests) without.push(`${crate} ${target}`);
    }
  }
  expect(without).toContain("sim lib");
  expect(without).toContain("bench-peer bin");
});

/** Texts of a crate's library, and of its program: beside a library that is one file. */
function sourcesByTarget(folder: URL): readonly (readonly ["lib" | "bin", readonly string[]])[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const hasLibrary = names.includes("lib.rs");
  const read = (isOf: (name: string) => boolean) =>
    names
      .filter((name) => name.endsWith(".rs") && isOf(name))
      .map((name) => readFileSync(new URL(name, folder), "utf8"));
  return [
    ["lib", read((name) => hasLibrary && name !== "main.rs")],
    ["bin", read((name) => !hasLibrary || name === "main.rs")],
  ];
}
