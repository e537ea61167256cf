/** Addresses of the explorer's pages below its place. */

/** A hash that the examples know. */
export const HASH = "ab".repeat(32);

/** One of each kind. */
export const EXPLORER_ADDRESSES = [
  "/",
  "/blocks",
  `/blocks/${HASH}`,
  "/transactions",
  `/transactions/${HASH}`,
  "/dag",
  "/dag?minute=29927981",
  "/dag/extremes",
  "/miners",
  "/network",
  "/charts",
  "/supply",
  "/check",
  `/search#${HASH}`,
  `/search?q=${HASH}`,
  "/search?q=1276151",
  "/search?q=nonsense",
  "/search",
  "/widget",
  "/widget/frame",
  "/about-data",
  "/nothing",
] as const;
