/**
 * The table of test suites: what `npm test` runs, and what `npm run test:full` adds.
 *
 * Two suites take hours and go on where they stopped, and one compiles a tool of its own: these run only when they are named, at
 * full size, or with `all`, which runs everything at full size in parts (`full-runs`).
 *
 * Reduced sizes fit a working day; full sizes are the figures a piece of work is closed with. A bound of time is there for
 * a suite that hangs. It is two to three times what the suite takes on two busy cores while another one is compiled, so that a slow
 * machine alone ends none.
 * Tests read the size from the environment variable `SVC_TEST_SIZE`. `docs/testing.md` shows this
 * table to people; a test keeps the two equal.
 */

/** One suite. */
export type Suite = {
  readonly name: string;
  readonly kind: "vitest" | "cargo" | "wasm" | "program";
  /** The vitest projects, the arguments after `cargo test`, the crates whose tests run as WebAssembly, or a script. */
  readonly arguments: readonly string[];
  /** Their configuration file, for projects that `vitest.config.ts` does not hold. */
  readonly config?: string;
  /** Test files of vitest at a time at the reduced size, one unless told: several are quicker on two cores. At full size some measure. */
  readonly workers?: number;
  /** Parts of vitest's files in which `all` runs it, one unless told. Each has the time of the whole suite. */
  readonly shards?: number;
  /** Parts of `scripts/setup.sh` that this suite alone asks for, when it begins. */
  readonly setup?: readonly string[];
  /** Whether its tests have chance in them that any seed must do for: the full size draws a new one. */
  readonly isSeeded?: true;
  /** Bound in seconds at reduced and at full size; beyond it the suite is stopped and has failed. None at a size that it does not have. */
  readonly seconds: { readonly reduced: number; readonly full: number };
  /** What it shows. */
  readonly about: string;
};

/**
 * Suites of cargo name all crates and choose test programs, so that what they share is compiled once: a choice of crates
 * turns other features on, and everything would be compiled again.
 */
const WHOLE: readonly string[] = ["--workspace"];
const CORE = [...WHOLE, "--exclude", "svc-sim", "--exclude", "svc-fuzz"];

/** All suites in the order in which they run: cheap ones first. */
export const SUITES: readonly Suite[] = [
  {
    name: "unit",
    kind: "vitest",
    arguments: ["unit", "unitAlone"],
    workers: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 1800 },
    about: "tests beside the TypeScript code, vectors, architecture rules",
  },
  {
    name: "contract",
    kind: "vitest",
    arguments: ["contract"],
    workers: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 1800 },
    about: "one suite against every implementation of an interface (LMDB and memory store)",
  },
  {
    name: "edge",
    kind: "vitest",
    arguments: ["edge", "edgeExplorer"],
    config: "edge/vitest.config.ts",
    seconds: { reduced: 1800, full: 1800 },
    about:
      "the Workers of the edge in workerd, with its objects, alarms, database and queues; offline",
  },
  {
    name: "core",
    kind: "cargo",
    arguments: [...CORE, "--lib", "--bins", "--tests"],
    isSeeded: true,
    seconds: { reduced: 1800, full: 5400 },
    about: "the Rust core: vectors, properties, upstream comparisons, recorded chain",
  },
  {
    name: "sim",
    kind: "cargo",
    arguments: [...WHOLE, "--test", "sim_tests"],
    seconds: { reduced: 1800, full: 5400 },
    about: "simulated networks: attackers, partitions, kills, forward and back, a recorded chain",
  },
  {
    name: "fuzz",
    kind: "cargo",
    arguments: [...WHOLE, "--test", "fuzz_tests"],
    isSeeded: true,
    seconds: { reduced: 1800, full: 10_800 },
    about: "mutated inputs for every decoder of the core: no panic, one encoding, bounded memory",
  },
  {
    name: "decoders",
    kind: "vitest",
    arguments: ["decoders"],
    workers: 2,
    shards: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 10_800 },
    about: "mutated inputs for every decoder in TypeScript and for the core behind its binding",
  },
  {
    name: "kernels",
    kind: "wasm",
    arguments: ["svc-kernels"],
    seconds: { reduced: 1800, full: 1800 },
    about: "the arithmetic kernels' Rust tests again as WebAssembly, where they use SIMD",
  },
  {
    name: "oracle",
    kind: "cargo",
    arguments: ["--manifest-path", "crates/oracle/Cargo.toml"],
    seconds: { reduced: 1800, full: 1800 },
    about: "our consensus formulas against the parent network's published crates",
  },
  {
    name: "integration",
    kind: "vitest",
    arguments: ["integration"],
    workers: 2,
    shards: 10,
    isSeeded: true,
    seconds: { reduced: 3600, full: 5400 },
    about:
      "several real parts together: node, sockets, disks, kills, proofs; at the reduced size nodes judge proofs in `payments`, `nodeKill` and `mergedMining` alone, and take them as valid elsewhere; `mempool` writes the verdicts itself",
  },
  {
    name: "network",
    kind: "vitest",
    arguments: ["network"],
    // Nodes wait for each other much of the time.
    workers: 3,
    shards: 20,
    isSeeded: true,
    seconds: { reduced: 3600, full: 10_800 },
    about: "nodes as processes over lines that fail: sync, kills, partitions, hostile peers",
  },
  {
    name: "e2e",
    kind: "vitest",
    arguments: ["e2e"],
    // Pages wait for blocks, for passphrases that take their time, and for each other.
    workers: 3,
    shards: 6,
    isSeeded: true,
    seconds: { reduced: 3600, full: 5400 },
    about: "wallets and explorer in a real Chromium, the main flow in a real Firefox",
  },
  {
    name: "hashes",
    kind: "vitest",
    arguments: ["hashes"],
    seconds: { reduced: 600, full: 3600 },
    about: "the pages built in two folders are the same bytes, at full size with the WebAssembly",
  },
  {
    name: "plugins",
    kind: "vitest",
    arguments: ["plugins"],
    setup: ["php", "vendure"],
    // Shops take seconds to start.
    workers: 2,
    seconds: { reduced: 1200, full: 1200 },
    about:
      "the WooCommerce plugin in PHP, with stubs of what it calls and a gateway double behind a socket; the Vendure plugin in real shops, with the desks of the gateway, and once in Chromium over a real node; each is skipped where its tools cannot be had",
  },
  {
    name: "package",
    kind: "vitest",
    arguments: ["package"],
    seconds: { reduced: 0, full: 3600 },
    about:
      "the npm packages of the core and of the signer, installed into empty projects: under Node and in a page that a bundler made",
  },
  {
    name: "kills",
    kind: "program",
    arguments: ["scripts/runKills.ts"],
    seconds: { reduced: 0, full: 14_400 },
    about:
      "11,500 kills of stores, nodes, wallet daemons, gateways, scanners, indexes and a browser tab at random points: nothing acknowledged is lost",
  },
  {
    name: "mutants",
    kind: "program",
    arguments: ["scripts/runMutants.ts"],
    seconds: { reduced: 0, full: 28_800 },
    about: "faults put into the files that hold rules: a test notices 95 of 100",
  },
];

/** The suites of a run: those named, or all that have a reduced size. Throws on an unknown name. */
export function chooseSuites(size: "reduced" | "full", names: readonly string[]): readonly Suite[] {
  for (const name of names) {
    const suite = SUITES.find((one) => one.name === name);
    if (suite === undefined) {
      const known = SUITES.map((one) => one.name).join(", ");
      throw new Error(`no suite called ${name}; there are ${known}`);
    }
    if (suite.seconds[size] === 0) {
      throw new Error(`${name} has no ${size} size: npm run test:full -- ${name}`);
    }
  }
  if (names.length > 0) return SUITES.filter(({ name }) => names.includes(name));
  return SUITES.filter(({ seconds }) => seconds.reduced > 0);
}
