/** Shards of the test suites for `npm run test:full -- all`: small enough that an interrupted run loses little. */
import type { Suite } from "../suites.ts";
import { cratesWithTests, programOf, testModules, testsOf } from "./testModules.ts";

/** One part of a suite. */
export type SuitePart = {
  /** `network 3/12`, `core chain_tests codecs`; the suite's own name for a suite in one part. */
  readonly name: string;
  readonly suite: Suite;
  /** Further arguments of the runner; none for a suite in one part. */
  readonly part: readonly string[];
  /** Further arguments of the test programs. */
  readonly filter: readonly string[];
};

/** Crates that the suite `core` leaves out. */
const OWN_SUITES = ["sim", "fuzz", "oracle"];
/** The program that has to fail as WebAssembly, and is no module of another one for it. */
const CANARY = "canary";
/** The module of crate `fuzz` that runs for hours: each of its tests is a part. */
const LONG_MODULE = "decoders";

/** All parts of a suite, in the order in which they run. Together they are the suite. */
export function partsOf(suite: Suite): readonly SuitePart[] {
  if (suite.name === "core") {
    return [
      { name: "core units", suite, part: ["--lib", "--bins"], filter: [] },
      { name: `core ${CANARY}`, suite, part: ["--test", CANARY], filter: [] },
      ...coreCrates().flatMap((crate) => moduleParts(suite, crate)),
    ];
  }
  if (suite.name === "sim") return moduleParts(suite, "sim");
  if (suite.name === "fuzz") {
    const modules = moduleParts(suite, "fuzz");
    const long = modules.find(({ filter }) => filter.includes(`${LONG_MODULE}::`));
    const tests = long === undefined ? [] : testsOf("fuzz", LONG_MODULE);
    return [
      ...modules.filter((part) => part !== long),
      ...tests.map((test) => ({
        ...{ name: `fuzz ${test}`, suite, part: ["--test", programOf("fuzz")] },
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

/** A part for each module of a crate's program. */
function moduleParts(suite: Suite, crate: string): readonly SuitePart[] {
  const modules = testModules(crate);
  return modules.map((name) => ({
    name: `${suite.name} ${programOf(crate)} ${name}`,
    suite,
    part: ["--test", programOf(crate)],
    filter: filterOf(name, modules),
  }));
}

/** Chooses a module by its name, which is looked for anywhere in the path of a test: modules with a longer name are skipped. */
const filterOf = (name: string, modules: readonly string[]): readonly string[] => [
  `${name}::`,
  ...modules
    .filter((other) => other !== name && other.endsWith(name))
    .flatMap((other) => ["--skip", `${other}::`]),
];

/** The crates with tests that have no suite of their own. */
export const coreCrates = (): readonly string[] =>
  cratesWithTests().filter((crate) => !OWN_SUITES.includes(crate));
