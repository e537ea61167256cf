/** Merchants of tests that empty the webhook queue themselves, at a time of theirs: what the platform's queue brings of them is left alone. */

/** Their names. */
export const HELD_MERCHANTS: ReadonlySet<string> = new Set(["shop", "elsewhere"]);
