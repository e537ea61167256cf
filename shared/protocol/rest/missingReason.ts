/** Why the public REST interface shows nothing of a block or a transaction: the field `reason` of its answer 404. */

/**
 * The node has never seen it; it is kept no longer; only the header of the block has come; it may be older than what the index
 * covers.
 */
export const MISSING_REASONS = ["never-seen", "pruned", "header-only", "not-covered"] as const;
/** One of them. */
export type MissingReason = (typeof MISSING_REASONS)[number];
