/** Tests of full-size runs, with fake suites. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { ROOT } from "../lib/command.ts";
import { SUITES, type Suite } from "../suites.ts";
import { FULL_RUN_HEAD, fullRunRow, withFullRunRow } from "./fullRunRow.ts";
import { PartRecords, type PartRecord } from "./partRecords.ts";
import { runParts } from "./runAll.ts";
import { coreCrates, partsOf } from "./suiteParts.ts";
import { programOf, testFolder, testModules, testsOf } from "./testModules.ts";

const never = new AbortController().signal;
// A seed that this test's own run has been given is none of the runs within it.
beforeEach(() => {
  vi.stubEnv("SVC_SEED", undefined);
  return () => vi.unstubAllEnvs();
});

const DOCUMENT = `# Testing\n\n## Full runs\n\n${FULL_RUN_HEAD}\n\n## Next\n\ntext\n`;

/** A world with suites that write down that they ran; one whose file `<name>.red` is there fails. */
function world() {
  const folder = folderOfTest();
  const ran = join(folder, "ran");
  const suite = (name: string, isSeeded?: true): Suite => {
    const script = join(folder, `${name}.mjs`);
    writeFileSync(
      script,
      `import { appendFileSync, existsSync } from "node:fs";
      appendFileSync(${JSON.stringify(ran)}, \`${name} \${process.env.SVC_SEED ?? "-"} \${process.env.SVC_TEST_SIZE}\\n\`);
      const red = existsSync(${JSON.stringify(join(folder, `${name}.red`))});
      console.log(red ? "1 passed, 2 failed" : "3 passed, 0 failed, 1 skipped");
      process.exitCode = red ? 1 : 0;`,
    );
    const seconds = { reduced: 600, full: 600 };
    const base = {
      name,
      tier: "T3",
      kind: "program",
      arguments: [script],
      seconds,
      about: "a fake",
    } as const;
    return isSeeded === true ? { ...base, isSeeded } : base;
  };
  const suites = [suite("first"), suite("second", true), suite("third")];
  const document = join(folder, "testing.md");
  writeFileSync(document, DOCUMENT);
  return {
    run: { suites, commit: "0123456789abcdef", records: join(folder, "records"), document },
    setRed: (name: string, isRed: boolean) =>
      isRed
        ? writeFileSync(join(folder, `${name}.red`), "")
        : rmSync(join(folder, `${name}.red`), { force: true }),
    ran: () => (existsSync(ran) ? readFileSync(ran, "utf8").trim().split("\n") : []),
    rows: () =>
      readFileSync(document, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("| 2")),
  };
}

describe("a whole run", () => {
  it("runs each part once, and writes their sum into the document", async () => {
    const { run, ran, rows } = world();
    expect(await runParts(run, never)).toEqual({ passed: 9, failed: 0, skipped: 3 });
    const [, seed] = /^second (\d+) full$/.exec(ran()[1] ?? "") ?? [];
    expect(ran()).toEqual(["first - full", `second ${seed} full`, "third - full"]);
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain(`| 0123456789ab |`);
    expect(rows()[0]).toContain(`| 3 | 9 | 0 | 3 | 0 | ${seed} |`);
    expect(await runParts(run, never)).toEqual({ passed: 9, failed: 0, skipped: 3 });
    expect(ran()).toHaveLength(3);
    expect(rows()).toHaveLength(1);
  });

  it("repeats what failed, with its seed, and says that it did", async () => {
    const { run, ran, rows, setRed } = world();
    setRed("second", true);
    expect(await runParts(run, never)).toEqual({ passed: 7, failed: 2, skipped: 2 });
    expect(rows()[0]).toContain("| 3 | 7 | 2 | 2 | 0 |");
    setRed("second", false);
    expect(await runParts(run, never)).toEqual({ passed: 9, failed: 0, skipped: 3 });
    expect(ran()).toHaveLength(4);
    expect(ran()[3]).toBe(ran()[1]);
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain("| 3 | 9 | 0 | 3 | 1 |");
  });

  it("goes on where it was stopped, and has no row before it is whole", async () => {
    const { run, ran, rows } = world();
    const stopped = new AbortController();
    stopped.abort();
    expect(await runParts(run, stopped.signal)).toEqual({ passed: 0, failed: 3, skipped: 0 });
    expect([ran(), rows()]).toEqual([[], []]);
    const [first] = run.suites;
    const begun = { ...run, suites: first === undefined ? [] : [first] };
    await runParts({ ...begun, document: join(run.records, "..", "testing.md") }, never);
    // A kill in the middle of a record leaves a torn line.
    const [file = ""] = readdirSync(run.records);
    appendFileSync(join(run.records, file), '\n{"part":"third","pas');
    await runParts(run, never);
    expect(ran().map((line) => line.split(" ")[0])).toEqual(["first", "second", "third"]);
  });

  it("of another commit begins anew", async () => {
    const { run, ran, rows } = world();
    await runParts(run, never);
    await runParts({ ...run, commit: "fedcba9876543210" }, never);
    expect(ran()).toHaveLength(6);
    expect(rows().map((row) => row.split("|")[2]?.trim())).toEqual([
      "0123456789ab",
      "fedcba987654",
    ]);
  });
});

describe("the table of whole runs", () => {
  it("is in docs/testing.md", () => {
    expect(readFileSync(join(ROOT, "docs", "testing.md"), "utf8")).toContain(FULL_RUN_HEAD);
  });

  it("keeps what is around it", () => {
    const row = "| 2026-11-24 | abc | m | 1 | 2 | 0 | 0 | 0 | 7 | 0.1 |";
    const once = withFullRunRow(DOCUMENT, row);
    expect(once).toBe(DOCUMENT.replace(FULL_RUN_HEAD, `${FULL_RUN_HEAD}\n${row}`));
    expect(withFullRunRow(once, row)).toBe(once);
    expect(() => withFullRunRow("# Other", row)).toThrow("no table");
  });

  it("names days, machines and seeds of all parts", () => {
    const records = new PartRecords(folderOfTest(), "c");
    const one: PartRecord = {
      ...{ part: "a", passed: 1, failed: 0, skipped: 0, seed: null, seconds: 3600 },
      ...{ day: "2026-11-23", machine: "m" },
    };
    records.add(one);
    records.add({ ...one, part: "b", day: "2026-11-24", machine: "n", seed: 5, seconds: 1800 });
    expect(fullRunRow(["a", "b"], records, "0123456789abcdef")).toBe(
      "| 2026-11-24 | 0123456789ab | m; n | 2 | 2 | 0 | 0 | 0 | 5 | 1.5 |",
    );
  });
});

describe("parts", () => {
  const all = SUITES.flatMap(partsOf);

  it("have names of their own, and every suite has one", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(new Set(all.map(({ suite }) => suite))).toEqual(new Set(SUITES));
  });

  it("of vitest are no more than the suite has files", () => {
    for (const { name, shards = 1 } of SUITES) {
      const folder = join(ROOT, "tests", name === "decoders" ? "fuzz" : name);
      if (shards === 1) continue;
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      expect(shards, name).toBeLessThanOrEqual(
        files.filter((file) => file.endsWith(".test.ts")).length,
      );
    }
  });

  it("of the core are all modules of its test programs, and those of the decoders all their tests", () => {
    const core = all.filter(({ suite }) => suite.name === "core").map(({ name }) => name);
    for (const name of [
      "consensus_tests scenarios",
      "consensus_tests conformance",
      "consensus_tests recorded_proof",
      "canary",
      "prove_tests whole_proof",
    ]) {
      expect(core).toContain(`core ${name}`);
    }
    const crates = coreCrates();
    expect(crates).toContain("circuit-gen");
    for (const name of ["sim", "fuzz", "oracle"]) expect(crates).not.toContain(name);
    const modules = crates.flatMap(testModules);
    expect(core).toHaveLength(modules.length + 2);
    const file = join(testFolder("fuzz"), "decoders.rs");
    const marks = readFileSync(file, "utf8").match(/#\[test\]/g) ?? [];
    expect(testsOf("fuzz", "decoders")).toHaveLength(marks.length);
    expect(marks.length).toBeGreaterThan(5);
    const fuzz = all.filter(({ suite }) => suite.name === "fuzz");
    expect(fuzz).toHaveLength(marks.length + testModules("fuzz").length - 1);
  });

  it("of a test program have each module in one part", () => {
    const parts = all.filter(({ filter }) => filter[0]?.endsWith("::"));
    for (const crate of [...coreCrates(), "sim"]) {
      const own = parts.filter(({ part }) => part.includes(programOf(crate)));
      const names = testModules(crate);
      const paths = names.flatMap((name) => [`${name}::`, ...modulesBelow(crate, name)]);
      for (const path of paths) {
        const chosen = own.filter(({ filter }) => isChosen(path, filter));
        expect(chosen, `${crate} ${path}`).toHaveLength(1);
      }
    }
  });
});

/** Whether a test program takes a path, with one name and others behind `--skip`. */
function isChosen(path: string, [name = "", ...skipped]: readonly string[]): boolean {
  return path.includes(name) && !skipped.some((skip) => skip !== "--skip" && path.includes(skip));
}

/** Paths of the modules in the folder of a module. */
function modulesBelow(crate: string, name: string): readonly string[] {
  const folder = join(testFolder(crate), name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file !== "mod.rs")
    .map((file) => `${name}::${file.replace(/\.rs$/, "")}::`);
}
