/** Limits of the wallet daemon: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const WALLETD_LIMITS = {
  /** keys. Viewing keys that one scan tries together: what the core's scanner takes. More wallets are several sets. */
  scanKeysPerSet: 256,
  /** sets. Prepared sets of viewing keys that a scan thread keeps; the one used longest ago is prepared anew when it comes back. */
  scanKeySets: 32,
  /** calls. Pages and sets that wait for one scan thread; lanes hand over one page each at a time. */
  scanCallsWaiting: 1_024,
  /** lanes. Scans beside the one at the tip, for wallets that lie behind it, unless `--sync-wallets` says otherwise. */
  lanesDefault: 2,
  /** ms. Pause between two looks at the node when it announces nothing. */
  lanePollMs: 1_000,
  /** ms. First pause after a look that failed; each further one is twice as long. */
  laneRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  laneRetryLongestMs: 30_000,
  /** blocks. Chain blocks between two times that what is spent beyond recall is forgotten, for wallets in which nothing happens. */
  forgetEveryBlocks: 64,
  /** blocks. Chain blocks that a snapshot names, newest first: a reorganisation that goes deeper is undone with the shared view. */
  snapshotBlocks: 256,
  /** ms. Shortest time between two snapshots of one wallet in which something happened. */
  snapshotEveryMs: 5_000n,
  /** times. How much longer than it takes to make one snapshot the pause before the next is: a large wallet does not hold up others. */
  snapshotShare: 20n,
  // Store.
  /** bytes. One row of the store; a longer one is refused. Room for a batch of payouts of 10 MiB. */
  storeRowBytes: 16_777_216,
  /** rows. Read at once while a table is gone through; the rest waits for its turn. A row with a signed payment has 250 KB. */
  storePageRows: 100,
  /** ms. How long the answer to a call with an idempotency key is kept; after that the key still names its payments. */
  storeAnswerMs: 86_400_000n,
  /** rows. Old answers, or old jobs, that one commit drops; the rest waits for the next. */
  storeExpiredRows: 1_000,
  /** jobs. Ended jobs kept for one wallet; beyond it the one that ended first goes. */
  storeEndedJobs: 1_000,
  /** ms. How long an ended job is kept: a week. */
  storeEndedJobMs: 604_800_000n,
  /** events. Of a wallet's feed, given at once; a caller asks again after the last. */
  storeEventPage: 1_000,
} as const;
