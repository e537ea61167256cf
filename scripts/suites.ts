/**
 * The table of test suites and their tiers: what must always hold, what a change can reach, and what a release waits for.
 *
 * T0 and T1 run with every `npm test`, whole, and no test of theirs is tried twice. T2 has more than a change can wait for:
 * `npm test` runs what the change can reach and a draw of the rest (`scripts/gate`), `npm test -- all` all of it. T3 runs by
 * name, at full size, or with `npm run test:full -- all` in parts that can be resumed (`full-runs`).
 *
 * A bound of time is there for a suite that hangs: it counts running, not compiling, and is two to three times what the
 * suite takes on two busy cores. Tests read the size from the environment variable `SVC_TEST_SIZE`. `docs/testing.md` shows
 * this table to people; a test keeps the two equal.
 */

/** When a suite runs, and what a failure of it may be: a test of T2 is tried a second time, none of T0 and T1. */
export type Tier = "T0" | "T1" | "T2" | "T3";

/** One suite. */
export type Suite = {
  readonly name: string;
  readonly tier: Tier;
  readonly kind: "vitest" | "cargo" | "wasm" | "program";
  /** The vitest projects, the arguments after `cargo test`, the crates whose tests run as WebAssembly, or a script. */
  readonly arguments: readonly string[];
  /** Their configuration file, for projects that `vitest.config.ts` does not hold. */
  readonly config?: string;
  /** Reporters of its own beside the usual ones, by their paths below the root. */
  readonly reporters?: readonly string[];
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
/**
 * One whole flow for each program over real parts, in tier T1: a node syncs from a node, the daemon is paid and pays, the
 * gateway is paid and calls its shop, the wallet page pays in Chromium, the explorer shows it, both Workers serve.
 */
export const FLOW_FILES: readonly string[] = [
  "tests/network/sync/initialSync.test.ts",
  "tests/network/wallets/readmePayments.test.ts",
  "tests/integration/gateway/gatewayPayments.test.ts",
  "tests/e2e/payments/payment.test.ts",
  "tests/e2e/explorer/explorerLive.test.ts",
  "tests/integration/edge/edgeExplorer.test.ts",
  "tests/integration/edge/hostedPayments.test.ts",
];

/** All suites in the order in which they run: cheap ones first. */
export const SUITES: readonly Suite[] = [
  {
    name: "unit",
    tier: "T0",
    kind: "vitest",
    arguments: ["unit", "unitAlone"],
    reporters: ["scripts/units/unitSecondsReporter.ts"],
    workers: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 1800 },
    about: "tests beside the TypeScript code, and vectors",
  },
  {
    name: "architecture",
    tier: "T1",
    kind: "vitest",
    arguments: ["architecture"],
    workers: 2,
    seconds: { reduced: 1800, full: 1800 },
    about: "rules of the source tree: ranks, budgets, names, clocks, listeners, citations, links",
  },
  {
    name: "processes",
    tier: "T1",
    kind: "vitest",
    arguments: ["processes"],
    workers: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 1800 },
    about: "tests beside the code that start programs, or wait for sockets, disks or git",
  },
  {
    name: "contract",
    tier: "T1",
    kind: "vitest",
    arguments: ["contract"],
    workers: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 1800 },
    about: "one suite against every implementation of an interface (LMDB and memory store)",
  },
  {
    name: "edge",
    tier: "T1",
    kind: "vitest",
    arguments: ["edge", "edgeExplorer"],
    config: "edge/vitest.config.ts",
    seconds: { reduced: 1800, full: 1800 },
    about:
      "the Workers of the edge in workerd, with its objects, alarms, database and queues; offline",
  },
  {
    name: "core",
    tier: "T1",
    kind: "cargo",
    arguments: [...CORE, "--tests"],
    isSeeded: true,
    seconds: { reduced: 1800, full: 5400 },
    about: "the Rust core: vectors, properties, upstream comparisons, recorded chain",
  },
  {
    name: "decoders",
    tier: "T1",
    kind: "vitest",
    arguments: ["decoders"],
    workers: 2,
    shards: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 10_800 },
    about: "mutated inputs for every decoder in TypeScript and for the core behind its binding",
  },
  {
    name: "conform",
    tier: "T1",
    kind: "vitest",
    arguments: ["conform"],
    seconds: { reduced: 1800, full: 1800 },
    about:
      "the engine against the small recorded chains, block by block, and that a wrong value is noticed",
  },
  {
    name: "pages",
    tier: "T1",
    kind: "vitest",
    arguments: ["pages"],
    config: "web/vitest.config.ts",
    seconds: { reduced: 1800, full: 1800 },
    about:
      "components of the pages in one Chromium over snapshots, without a node: forms, texts, empty and error states, axe, languages, widths",
  },
  {
    name: "flows",
    tier: "T1",
    kind: "vitest",
    arguments: ["flows"],
    workers: 2,
    isSeeded: true,
    seconds: { reduced: 1800, full: 1800 },
    about:
      "one whole flow for each program over real parts: a node syncs, the daemon pays, a gateway tells its shop, the wallet page pays, the explorer shows it, both Workers serve",
  },
  {
    name: "sim",
    tier: "T2",
    kind: "cargo",
    arguments: [...WHOLE, "--test", "sim_tests"],
    seconds: { reduced: 1800, full: 5400 },
    about: "simulated networks: attackers, partitions, kills, forward and back, a recorded chain",
  },
  {
    name: "fuzz",
    tier: "T2",
    kind: "cargo",
    arguments: [...WHOLE, "--test", "fuzz_tests"],
    isSeeded: true,
    seconds: { reduced: 1800, full: 10_800 },
    about: "mutated inputs for every decoder of the core: no panic, one encoding, bounded memory",
  },
  {
    name: "kernels",
    tier: "T2",
    kind: "wasm",
    arguments: ["svc-kernels"],
    seconds: { reduced: 1800, full: 1800 },
    about: "the arithmetic kernels' Rust tests again as WebAssembly, where they use SIMD",
  },
  {
    name: "oracle",
    tier: "T2",
    kind: "cargo",
    arguments: ["--manifest-path", "crates/oracle/Cargo.toml"],
    seconds: { reduced: 1800, full: 1800 },
    about: "our consensus formulas against the parent network's published crates",
  },
  {
    name: "integration",
    tier: "T2",
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
    tier: "T2",
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
    tier: "T2",
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
    tier: "T2",
    kind: "vitest",
    arguments: ["hashes"],
    seconds: { reduced: 600, full: 3600 },
    about: "the pages built in two folders are the same bytes, at full size with the WebAssembly",
  },
  {
    name: "plugins",
    tier: "T2",
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
    tier: "T3",
    kind: "vitest",
    arguments: ["package"],
    seconds: { reduced: 0, full: 3600 },
    about:
      "the npm packages of the core and of the signer, installed into empty projects: under Node and in a page that a bundler made",
  },
  {
    name: "kills",
    tier: "T3",
    kind: "program",
    arguments: ["scripts/runKills.ts"],
    seconds: { reduced: 0, full: 14_400 },
    about:
      "11,500 kills of stores, nodes, wallet daemons, gateways, scanners, indexes and a browser tab at random points: nothing acknowledged is lost",
  },
  {
    name: "mutants",
    tier: "T3",
    kind: "program",
    arguments: ["scripts/runMutants.ts"],
    seconds: { reduced: 0, full: 28_800 },
    about: "faults put into the files that hold rules: a test notices 95 of 100",
  },
];

/** Whether a suite has a reduced size; the others run at full size alone. */
const hasReduced = ({ seconds }: Suite): boolean => seconds.reduced > 0;

/** The suites of `npm test`, run whole: T0 and T1. */
export function gateSuites(): readonly Suite[] {
  return SUITES.filter(({ tier }) => tier === "T0" || tier === "T1");
}

/** The suites of which `npm test` runs what a change can reach. */
export function chosenSuites(): readonly Suite[] {
  return SUITES.filter(({ tier }) => tier === "T2");
}

/** The suites that were named, or all that have a reduced size. Throws on an unknown name. */
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
  return SUITES.filter(hasReduced);
}
