/** Size limits of the raw forms, as the core decodes them (docs/formats.md 1). Sizes fixed by the format. */

/** Largest counts and lengths of the raw forms; the core has the same. */
export const FORM_BOUNDS = {
  inputs: 1_000,
  outputs: 1_000,
  signatureScript: 250_000,
  script: 10_000,
  payload: 1_000_000,
  blockTransactions: 20_000,
  blockBytes: 2_000_000,
  /** Headers handed in together. */
  headers: 128,
  /** Headers that the core hands out together. */
  headersServed: 2_048,
  levels: 255,
  /** Parents over all levels together. */
  expandedParents: 16_320,
  /** Bytes of a merge-mining witness in proofs and trusted data. */
  witness: 262_144,
  /** Levels of a pruning proof: one for each parent level, and that of genesis. */
  proofLevels: 256,
  /** Headers of a pruning proof over all levels together. */
  proofHeaders: 500_000,
  /** Pruning points from genesis on. */
  pruningPoints: 65_536,
  /** Headers of each kind in a page of trusted data. */
  trustedPage: 1_024,
  /** Bytes of a record of GHOSTDAG data. */
  ghostdagBytes: 1_048_576,
  /** Headers of trusted data together. */
  trustedHeaders: 1_000_000,
  /** Blocks that a block merges, blue or red, without its selected parent. */
  mergeset: 4_096,
  /** Lanes or nullifiers of a page. */
  pageRows: 4_096,
  /** The first lane of all goes with a proof in messages, and each so many behind it. */
  laneProofInterval: 16,
  /** Lanes that go with proofs; of more lanes none has one. */
  provedLanes: 16_384,
  /** Bindings of anchors from before the security fork in a page. */
  anchorBindings: 256,
  /** Bytes of such a binding: totals, a branch, and a coinbase of k + 4 outputs with the longest scripts. */
  anchorBindingBytes: 8_192,
  /** Anchors in the claim of the state. */
  anchors: 300_000,
  /** Ommers of a note tree. */
  ommers: 32,
  /** Bytes of a miner's script. */
  coinbaseScript: 150,
  /** Scan records handed in together. */
  records: 2_000,
} as const;
