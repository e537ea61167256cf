/** Limits of scanning for viewing keys, as wallet daemon and gateway do it: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const SCANNING_LIMITS = {
  /** keys. Most viewing keys that a set may be given, as many as the core's scanner takes; whoever makes sets chooses how many up to it. */
  keysPerSetMost: 256,
  /** sets. Prepared sets of viewing keys that a scan thread keeps; the one used longest ago is prepared anew when it comes back. */
  keySets: 256,
  /** blocks. Least part of a page that a scan thread is given: a page of twice as many or more is cut for several threads. */
  partBlocks: 64,
  /** calls. Pages and sets that wait for one scan thread; whoever follows the chain hands over one page at a time. */
  callsWaiting: 1_024,
  /** ms. Longest pause between two looks at the tip of the node's chain; an announced block ends it. */
  followMs: 1_000,
  /** ms. First pause after a look at the chain that failed; each further one is twice as long. */
  followRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  followRetryLongestMs: 30_000,
  /** ms. Pause between two looks at the payments that wait at the node, which announces none: who pays at a till waits so long for a sign. */
  poolLookMs: 1_000,
  /** ms. Shortest such pause, however much the node announces: an answer may have 4 MB. */
  poolLookLeastMs: 250,
  /** ms. First pause after a look that failed; each further one is twice as long. */
  poolRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  poolRetryLongestMs: 30_000,
  /** payments. Scanned together: few enough that one which cannot be read costs little to find. */
  poolScanPayments: 64,
} as const;
