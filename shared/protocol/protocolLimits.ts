/** Limits of the browser protocol: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const PROTOCOL_LIMITS = {
  /** blocks. Records in one page of the browser protocol; a larger request gets this many. */
  recordPageMax: 2_000,
  /** payments. Waiting payments in one answer, the newest; an answer with more is refused. */
  poolPageMax: 2_000,
} as const;
