/** Limits of reading a chain: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const CHAIN_LIMITS = {
  /** blocks. How long before a change of rules a node begins to say so, in its log and to its clients. */
  ruleChangeAheadBlocks: 100_000n,
} as const;
