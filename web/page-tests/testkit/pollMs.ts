/** Bound of what page tests wait for. */

/** ms. How long a test looks for something at most: the browser has a busy machine to itself seldom. */
export const POLL_MS = 30_000;
