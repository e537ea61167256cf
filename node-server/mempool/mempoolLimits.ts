/** Limits of the mempool: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const MIB = 1024 * 1024;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const MEMPOOL_LIMITS = {
  /** actions. What a payment with a false proof costs its source on top: it is judged again alone and in ever smaller batches, some 50 ms. */
  falseProofActions: 50,
  /** transactions. Transactions in admission (verification included); more are refused. */
  mempoolAdmissions: 512,
  /** transactions. Of these places the last ones are for sources that have none: six that hold all they may leave room for 128 others. */
  mempoolNewcomers: 128,
  /** bytes. Raw transactions in admission, together; more are refused. */
  mempoolAdmissionBytes: 64 * MIB,
  /** transactions. Of one source in admission; more are refused. */
  mempoolSourceAdmissions: 64,
  /** bytes. Of one source among them: 33 of the longest that are taken. */
  mempoolSourceBytes: 4 * MIB,
  /** transactions. Transactions in the pool; beyond it the lowest fee rates give way. */
  mempoolTransactions: 1_000_000,
  /** bytes. Raw transactions in the pool; beyond it the lowest fee rates give way. */
  mempoolBytes: 256 * MIB,
  /** seconds of DAA score. How long a transaction may wait in the pool: 24 h at one block per second. */
  mempoolExpirySeconds: 86_400,
  /** DAA scores. Distance between two passes that check waiting transactions again. */
  mempoolRevalidateDaa: 60n,
  /** transactions. Of the store that are judged at a time after a start: a batch of a verifier. */
  mempoolRestoreAtOnce: 64,
  /** transactions. Checked again in one pass; the next pass goes on behind them. */
  mempoolRevalidateBatch: 250,
  /** events. Changes of the chain that the pool has not followed yet, as while it is caught up with; beyond it the pool is judged anew. */
  mempoolEventsWaiting: 1_024,
  /** transactions. Of removed chain blocks, tried again until they are back; the oldest is dropped. */
  returningTransactions: 10_000,
  /** seconds of DAA score. How long an applied transaction is remembered and refused. */
  appliedMemorySeconds: 120,
  /** entries. Applied transactions remembered; the oldest is forgotten. */
  appliedMemory: 50_000,
  /** grams. Transient mass (4 × size) of a transaction the pool relays (specification shielded 13.1). */
  standardTransientMass: 500_000,
  /** grams. Compute mass of a transaction the pool relays. */
  standardComputeMass: 500_000,
} as const;
