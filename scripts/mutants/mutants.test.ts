/** The parts of the runner of mutants; the runner itself needs hours. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { programOf, testModules } from "../full-runs/testModules.ts";
import { drawMutants, readMutants, stableName } from "./mutant.ts";
import { refusesSource, usedUpItsTime } from "./mutantTree.ts";
import { MutantRecords, type MutantRecord } from "./mutantRecords.ts";
import { explainedSurvivors, hasPassed, sumMutants } from "./mutantReport.ts";
import { RULE_CRATES, ruleCrateOf } from "./ruleFiles.ts";

const crates = new URL("../../wasm-core/crates/", import.meta.url);
const mutant = (name: string) => ({ name, file: name.split(":")[0] ?? "", diff: "" });
const record = (name: string, verdict: MutantRecord["verdict"]): MutantRecord => ({
  mutant: name,
  commit: "c",
  verdict,
  seconds: 1,
});

describe("files that hold rules", () => {
  it("are there, and every test program of their crates is run", () => {
    for (const { crate, files, stages } of RULE_CRATES) {
      for (const file of files) {
        const path = file.endsWith("/") ? file : `${file}.rs`;
        expect(existsSync(new URL(`${crate}/src/${path}`, crates)), `${crate} ${path}`).toBe(true);
      }
      const of = (name: string) =>
        stages.filter(({ programs }) => programs.includes(programOf(name)));
      expect(of(crate), crate).not.toEqual([]);
      const modules = of("consensus").flatMap((stage) => stage.modules);
      expect(modules.toSorted(), crate).toEqual(testModules("consensus"));
      if (crate !== "consensus") expect(of(crate)[0]?.modules, crate).toEqual([]);
    }
  });

  it("are known by their paths", () => {
    expect(ruleCrateOf("crates/consensus/src/import/judge.rs")?.crate).toBe("consensus");
    expect(ruleCrateOf("crates/dag/src/depth.rs")?.crate).toBe("dag");
    expect(ruleCrateOf("crates/dag/src/store.rs")).toBeUndefined();
    expect(ruleCrateOf("crates/scan/src/depth.rs")).toBeUndefined();
  });
});

describe("the draw", () => {
  const all = Array.from({ length: 300 }, (_, at) =>
    mutant(`crates/dag/src/depth.rs:${at + 1}:5: replace ${at % 100} with 1`),
  );

  it("is the same for a seed, and another for another", () => {
    const drawn = drawMutants(all, 20, "1");
    expect(drawn).toHaveLength(20);
    expect(drawMutants(all.toReversed().toReversed(), 20, "1")).toEqual(drawn);
    expect(drawMutants(all, 20, "2")).not.toEqual(drawn);
  });

  it("does not change when lines move", () => {
    const names = (list: typeof all) =>
      drawMutants(list, 20, "1").map(({ name }) => stableName(name));
    const moved = all.map(({ name }) =>
      mutant(name.replace(/:(\d+):/, (_, line) => `:${+line + 7}:`)),
    );
    expect(names(moved)).toEqual(names(all));
  });

  it("takes mutants of rules alone, and refuses what is no list", () => {
    const json = JSON.stringify([
      mutant("crates/dag/src/depth.rs:1:1: replace a with b"),
      mutant("crates/dag/src/store.rs:1:1: replace a with b"),
    ]);
    expect(readMutants(json).map(({ file }) => file)).toEqual(["crates/dag/src/depth.rs"]);
    expect(() => readMutants('[{"name":1}]')).toThrow("no mutant");
  });
});

describe("records", () => {
  it("are found again, also behind a line that a kill cut off", () => {
    const folder = folderOfTest();
    new MutantRecords(folder, "c").add(record("one", "caught"));
    const file = join(folder, "c.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n{"mutant":"two","comm`);
    const again = new MutantRecords(folder, "c");
    expect(again.lastOf("one")?.verdict).toBe("caught");
    expect(again.lastOf("two")).toBeUndefined();
    again.add(record("three", "missed"));
    expect(new MutantRecords(folder, "c").lastOf("three")?.verdict).toBe("missed");
    expect(new MutantRecords(folder, "d").lastOf("one")).toBeUndefined();
  });
});

describe("a test program that used up its time", () => {
  it("is known by what cargo says of it, with or without the signal's name", () => {
    const died = (how: string) => usedUpItsTime(`process didn't exit successfully: \`x\` (${how})`);
    expect(died("signal: 24")).toBe(true);
    expect(died("signal: 24, SIGXCPU: CPU time limit exceeded")).toBe(true);
    expect(died("signal: 6, SIGABRT: process abort signal")).toBe(false);
    expect(died("exit status: 24")).toBe(false);
  });
});

describe("a compilation that failed", () => {
  it("says something of the mutant only where it names a line", () => {
    expect(
      refusesSource("error[E0308]: mismatched types\n  --> crates/dag/src/depth.rs:41:9\n"),
    ).toBe(true);
    expect(refusesSource("error: unused variable\n   --> crates/dag/src/depth.rs:4:9\n")).toBe(
      true,
    );
    expect(refusesSource("error: linking with `cc` failed: exit status: 1\n  |\n")).toBe(false);
    expect(refusesSource("error: could not compile `svc-dag` (lib)\n")).toBe(false);
    expect(refusesSource("warning: unused\n --> a.rs:1:1\nerror: could not write\n")).toBe(false);
  });
});

describe("the sum", () => {
  const missed = "crates/dag/src/depth.rs:9:5: replace || with && in a";
  const records = [
    ...Array.from({ length: 38 }, (_, at) => record(`caught ${at}`, "caught")),
    record("hangs", "hung"),
    record("no program", "unviable"),
    record(missed, "missed"),
  ];
  const row = (reason: string) =>
    `| \`crates/dag/src/depth.rs: replace \\|\\| with && in a\` | ${reason} |\n`;

  it("fails below 95 of 100", () => {
    const more = [...records, record(`${missed} 2`, "missed"), record(`${missed} 3`, "missed")];
    expect(sumMutants(more, "")).toMatchObject({ caught: 39, hung: 1, viable: 42, unviable: 1 });
    expect(hasPassed({ ...sumMutants(more, ""), unexplained: [] })).toBe(false);
    expect(hasPassed({ ...sumMutants([], ""), unexplained: [] })).toBe(false);
  });

  it("fails when a survivor has no reason in the document", () => {
    expect(sumMutants(records, "").unexplained).toEqual([missed]);
    expect(hasPassed(sumMutants(records, row("")))).toBe(false);
    expect(hasPassed(sumMutants(records, row("the order does not matter")))).toBe(true);
  });

  it("reads the document's own table", () => {
    const text = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
    const rows = text
      .split("\n")
      .filter((line) => line.startsWith("| `crates/") && line.includes(".rs: "));
    expect(explainedSurvivors(text).size).toBe(rows.length);
  });
});
