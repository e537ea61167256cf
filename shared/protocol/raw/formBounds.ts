/** What the raw forms may hold at most, as the core decodes them (docs/interfaces.md 1). Sizes fixed by the format. */

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
  levels: 255,
  /** Parents over all levels together. */
  expandedParents: 16_320,
} as const;
