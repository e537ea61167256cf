/**
 * Mutation testing: the files with consensus rules, whose mutants are drawn. Header, body, chain,
 * transition, coinbase, anchors, import and proof, in the four crates that judge blocks.
 */

/** A choice of tests. */
export type Stage = {
  /** Arguments of `cargo test` that choose test programs. */
  readonly programs: readonly string[];
  /** The modules of them that run, all when there are none. */
  readonly modules: readonly string[];
};

/** A crate with the files that hold rules, and the test programs that are run against a mutant of one of them. */
export type RuleCrate = {
  /** Its folder below `wasm-core/crates`. */
  readonly crate: string;
  /** Files below its `src`, without `.rs`; a name that ends with `/` means all files of that folder. */
  readonly files: readonly string[];
  /**
   * In the order in which they run: a stage that fails has caught the mutant and ends its trial, so the quick and sharp ones
   * come first.
   */
  readonly stages: readonly Stage[];
};

/** One choice of packages for every stage, so that what they share is compiled once. */
export const PACKAGES: readonly string[] = [
  ...["-p", "svc-chain", "-p", "svc-dag"],
  ...["-p", "svc-shielded", "-p", "svc-consensus"],
];

const program = (name: string, ...modules: readonly string[]): Stage => ({
  programs: ["--test", name],
  modules,
});

/** The unit tests of all four crates, which `--lib` cannot tell apart. */
const UNITS: Stage = { programs: ["--lib"], modules: [] };
const SCENARIOS = [UNITS, program("consensus_tests", "scenarios")];
/** Each a process of its own, because the bound of a mutant's time is one of a process. */
const RECORDED = [
  ...["conformance", "own_proofs", "receipts", "receipt_depths"],
  ...["recorded_proof", "recorded_import", "block_checks"],
].map((name) => program("consensus_tests", name));

/** All crates that hold rules. */
export const RULE_CRATES: readonly RuleCrate[] = [
  {
    crate: "consensus",
    files: [
      ...["parameters", "rules/", "records/body", "records/anchors"],
      ...["pipeline/headers", "pipeline/level_conflicts", "pipeline/beginning"],
      ...["pipeline/tx_check", "pipeline/chain_move", "pipeline/sink_search"],
      ...["import", "import/", "proof", "proof/"],
    ],
    stages: [...SCENARIOS, ...RECORDED],
  },
  {
    crate: "dag",
    files: [
      ...["ghostdag", "difficulty", "depth", "windows", "sampled_window"],
      ...["pruning_point", "parents_builder", "level_dag"],
    ],
    stages: [program("dag_tests"), ...SCENARIOS, ...RECORDED],
  },
  {
    crate: "chain",
    files: [
      ...["header", "block", "header/parents", "witness", "merge_commitment", "bits"],
      ...["coinbase_payload", "emission", "mass", "transaction", "seq_commit", "lane_tree"],
    ],
    stages: [program("chain_tests"), ...SCENARIOS, ...RECORDED],
  },
  {
    crate: "shielded",
    files: [
      "anchor_log",
      "bundle",
      "coinbase_note",
      "fee",
      "sighash",
      "signing/disclosed",
      "signing/payment_check",
      "signing/payment_proof",
      "signing/sealed_note",
      "signing/signer",
      "state_root",
    ],
    stages: [program("shielded_tests"), ...SCENARIOS, ...RECORDED],
  },
];

/** The crate whose rules a file holds, by its path below `wasm-core`; undefined for a file without rules. */
export function ruleCrateOf(path: string): RuleCrate | undefined {
  const match = /^crates\/([^/]+)\/src\/(.+)\.rs$/.exec(path);
  const [, crate, name] = match ?? [];
  if (crate === undefined || name === undefined) return undefined;
  const found = RULE_CRATES.find((one) => one.crate === crate);
  const holdsRules = found?.files.some((file) =>
    file.endsWith("/") ? name.startsWith(file) : name === file,
  );
  return holdsRules === true ? found : undefined;
}
