/** Crash-test sources: where processes are killed, the test that does it, and how many kill points of each are wanted. */

/** The kinds, by what is killed. */
export type KillKind =
  | "store"
  | "lmdb"
  | "node"
  | "program"
  | "tab"
  | "wallet"
  | "walletd"
  | "gateway"
  | "hosted"
  | "index";

/** One crash-test source. */
export type KillSource = {
  readonly kind: KillKind;
  /** What is killed, and when. */
  readonly about: string;
  /** Points in all. */
  readonly goal: number;
  /** Points of one run, given as `SVC_KILLS`: small enough that a run that is stopped loses little. */
  readonly perRun: number;
  readonly runner: "cargo" | "vitest";
  readonly arguments: readonly string[];
};

const vitest = (project: string, file: string, test: string): readonly string[] => [
  ...["run", "--project", project, "--maxWorkers=1", "--reporter=default"],
  ...["-t", test, file],
];

/** All sources: those of the whole program first, because these crashes are the ones that a person meets. */
export const KILL_SOURCES: readonly KillSource[] = [
  {
    kind: "program",
    about: "SIGKILL of `svc node` while it starts, mines, takes payments and catches up",
    goal: 300,
    perRun: 30,
    runner: "vitest",
    arguments: vitest(
      "network",
      "tests/network/program/programKills.test.ts",
      "kills of the program",
    ),
  },
  {
    kind: "tab",
    about: "a browser tab closed between the plan of a payment and its broadcast",
    goal: 50,
    perRun: 50,
    runner: "vitest",
    arguments: vitest("e2e", "tests/e2e/storage/tabKill.test.ts", "kills of the tab"),
  },
  {
    kind: "wallet",
    about:
      "SIGKILL of `svc walletd` while it starts, proves, pays, merges, delivers and follows the chain",
    goal: 50,
    perRun: 25,
    runner: "vitest",
    arguments: vitest(
      "network",
      "tests/network/walletd/walletdKills.test.ts",
      "daemon that proves",
    ),
  },
  {
    kind: "walletd",
    about: "the same of a daemon with proofs made before",
    goal: 950,
    perRun: 100,
    runner: "vitest",
    arguments: vitest(
      "network",
      "tests/network/walletd/walletdKills.test.ts",
      "proofs made before",
    ),
  },
  {
    kind: "gateway",
    about: "SIGKILL of `svc gateway` while it makes invoices, sees payments and sends webhooks",
    goal: 300,
    perRun: 60,
    runner: "vitest",
    arguments: vitest(
      "network",
      "tests/network/gateway/gatewayKills.test.ts",
      "kills of the gateway",
    ),
  },
  {
    kind: "hosted",
    about: "SIGKILL of a scanner while it tells a hosted gateway what it found",
    goal: 100,
    perRun: 50,
    runner: "vitest",
    arguments: vitest(
      "integration",
      "tests/integration/edge/hostedKills.test.ts",
      "kills of a scanner",
    ),
  },
  {
    kind: "index",
    about: "SIGKILL of a node's index while the chain grows and is reorganised",
    goal: 100,
    perRun: 50,
    runner: "vitest",
    arguments: vitest(
      "integration",
      "tests/integration/index/indexKill.test.ts",
      "times loses nothing",
    ),
  },
  {
    kind: "node",
    about: "SIGKILL of a process with a judging node that takes blocks and payments",
    goal: 200,
    perRun: 50,
    runner: "vitest",
    arguments: vitest(
      "integration",
      "tests/integration/node/nodeKill.test.ts",
      "kills lose nothing",
    ),
  },
  {
    kind: "lmdb",
    about: "SIGKILL of a process that commits to the database on disk (both kinds of store)",
    goal: 400,
    perRun: 50,
    runner: "vitest",
    arguments: vitest("contract", "tests/contract/kv/kvKill.test.ts", "kills lose nothing"),
  },
  {
    kind: "store",
    about: "failure of a simulated node's store at a random operation",
    goal: 9_050,
    perRun: 1_500,
    runner: "cargo",
    arguments: [
      ...["test", "--locked", "--workspace", "--test", "sim_tests"],
      ...["--", "kills::", "--nocapture"],
    ],
  },
];

/** Points that the sources are to reach together. */
export const KILLS_WANTED = 11_500;
