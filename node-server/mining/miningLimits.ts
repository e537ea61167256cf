/** Limits of block templates: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const MINING_LIMITS = {
  /** attempts. Template builds while candidates are refused; then the template goes out without them. */
  templateAttempts: 5,
  /** ms. How long a template is served again while nothing changed. */
  templateMaxAgeMs: 1_000,
  /** templates. Templates remembered, one per pay address and extra data. */
  templateCache: 64,
} as const;
