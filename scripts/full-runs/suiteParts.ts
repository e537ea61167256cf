/** Shards of the test suites for `npm run test:full -- all`: small enough that an interrupted run loses little. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/command.ts";
import { FUZZ_TESTS, SIM_TESTS, type Suite } from "../suites.ts";

/** One part of a suite. */
export type SuitePart = {
  /** `network 3/12`, `core scenarios`; the suite's own name for a suite in one part. */
  readonly name: string;
  readonly suite: Suite;
  /** Further arguments of the runner; none for a suite in one part. */
  readonly part: readonly string[];
  /** Further arguments of the test programs. */
  readonly filter: readonly string[];
};

const CRATES = join(ROOT, "wasm-core", "crates");
/** The test program of crate `fuzz` that runs for hours: each of its tests is a part. */
const LONG_PROGRAM = "decoders";

/** All parts of a suite, in the order in which they run. Together they are the suite. */
export function partsOf(suite: Suite): readonly SuitePart[] {
  if (suite.name === "core") {
    return [
      { name: "core units", suite, part: ["--lib", "--bins"], filter: [] },
      ...corePrograms().map((name) => programPart(suite, name)),
    ];
  }
  if (suite.name === "sim") return SIM_TESTS.map((name) => programPart(suite, name));
  if (suite.name === "fuzz") {
    const programs = FUZZ_TESTS.filter((name) => name !== LONG_PROGRAM);
    return [
      ...programs.map((name) => programPart(suite, name)),
      ...testsOf(join(CRATES, "fuzz", "tests", `${LONG_PROGRAM}.rs`)).map((test) => ({
        ...programPart(suite, LONG_PROGRAM),
        name: `fuzz ${test}`,
        filter: ["--exact", test],
      })),
    ];
  }
  const shards = suite.shards ?? 1;
  if (shards === 1) return [{ name: suite.name, suite, part: [], filter: [] }];
  return Array.from({ length: shards }, (_, at) => ({
    name: `${suite.name} ${at + 1}/${shards}`,
    suite,
    part: [`--shard=${at + 1}/${shards}`],
    filter: [],
  }));
}

const programPart = (suite: Suite, program: string): SuitePart => ({
  name: `${suite.name} ${program}`,
  suite,
  part: ["--test", program],
  filter: [],
});

/** The test programs of the crates that have no suite of their own. */
export function corePrograms(): readonly string[] {
  const own = ["sim", "fuzz", "oracle"];
  const crates = readdirSync(CRATES).filter((crate) => !own.includes(crate));
  const names = crates.flatMap((crate) => programsOf(join(CRATES, crate, "tests")));
  return [...new Set(names)].toSorted();
}

function programsOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) {
      return existsSync(join(folder, entry.name, "main.rs")) ? [entry.name] : [];
    }
    return entry.name.endsWith(".rs") ? [entry.name.slice(0, -3)] : [];
  });
}

/** Names of the tests in a file of a test program. */
export function testsOf(file: string): readonly string[] {
  const tests = readFileSync(file, "utf8").matchAll(/^#\[test\]\nfn (\w+)\(/gm);
  return Array.from(tests, ([, name = ""]) => name);
}
