/**
 * Mutation testing: the files with consensus rules, whose mutants are drawn. Header, body, chain,
 * transition, coinbase, anchors, import and proof, in the four crates that judge blocks.
 */

/** Arguments of `cargo test` that choose test programs. */
export type Stage = readonly string[];

/** A crate with the files that hold rules, and the test programs that are run against a mutant of one of them. */
export type RuleCrate = {
  /** Its folder below `wasm-core/crates`. */
  readonly crate: string;
  /** Files below its `src`, without `.rs`; a name that ends with `/` means all files of that folder. */
  readonly files: readonly string[];
  /**
   * Arguments of `cargo test`, in the order in which they run: a stage that fails has caught the mutant and ends its
   * trial, so the quick and sharp ones come first.
   */
  readonly stages: readonly Stage[];
};

/** One choice of packages for every stage, so that what they share is compiled once. */
export const PACKAGES: readonly string[] = [
  ...["-p", "svc-chain", "-p", "svc-dag"],
  ...["-p", "svc-shielded", "-p", "svc-consensus"],
];

/** With the unit tests of all four crates, which `--lib` cannot tell apart. */
const SCENARIOS = ["--lib", "--test", "scenarios"];
const RECORDED = [
  ...["--test", "conformance", "--test", "own_proofs", "--test", "receipts"],
  ...["--test", "receipt_depths"],
  ...["--test", "recorded_proof", "--test", "recorded_import", "--test", "block_checks"],
];

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
    stages: [SCENARIOS, RECORDED],
  },
  {
    crate: "dag",
    files: [
      ...["ghostdag", "difficulty", "depth", "windows", "sampled_window"],
      ...["pruning_point", "parents_builder", "level_dag"],
    ],
    stages: [
      [
        ...["--test", "ghostdag_rule", "--test", "windows_rule", "--test", "depths_rule"],
        ...["--test", "parents_rule", "--test", "level_dag", "--test", "recorded_chains"],
        ...["--test", "reachability", "--test", "reachability_delete"],
      ],
      SCENARIOS,
      RECORDED,
    ],
  },
  {
    crate: "chain",
    files: [
      ...["header", "block", "header/parents", "witness", "merge_commitment", "bits"],
      ...["coinbase_payload", "emission", "mass", "transaction", "seq_commit", "lane_tree"],
    ],
    stages: [
      [
        ...["--test", "codecs", "--test", "emission", "--test", "lane_tree"],
        ...["--test", "profiles", "--test", "recorded", "--test", "vectors", "--test", "witness"],
      ],
      SCENARIOS,
      RECORDED,
    ],
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
    stages: [
      [
        ...[
          "--test",
          "bundle",
          "--test",
          "fee_vectors",
          "--test",
          "key_vectors",
          "--test",
          "outputs",
        ],
        ...["--test", "payment_check", "--test", "signer_refusals"],
        ...["--test", "state_vectors", "--test", "verification"],
      ],
      SCENARIOS,
      RECORDED,
    ],
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
