/** Limits of the edge: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const EDGE_LIMITS = {
  /** ms. How late the alarm of an object may be before the sweep takes it for lost. With a sweep each minute a lost one is found within two. */
  sweepSlackMs: 30_000n,
  /** objects. Whose alarms one sweep sets anew, and webhooks that it puts back into the queue, those longest unseen first; the next sweep goes on. */
  sweepRows: 500,
  /** calls. Under way at once in one invocation: the platform allows six connections. */
  callsAtOnce: 6,
  /** ms. Pause of an object whose work failed; then it tries again. */
  dueRetryMs: 5_000n,
  /** keys. Master keys that are held at once while one replaces another; more are refused. */
  masterKeys: 8,
  /** bytes. A secret that is sealed; a longer one is refused. */
  sealedSecretBytes: 4_096,
  /** keys. API keys of a merchant in one answer, the newest; older ones are not listed. */
  apiKeyRows: 1_000,
  /** invoices. In one page of the list; a larger request gets this many. */
  invoiceRowsMax: 100,
  /** invoices. Looked at for one page of a search, the newest first; the page may then be short, and its cursor goes on. */
  invoiceSearchRows: 2_000,
  /** characters. The text of a search; a longer one is refused. */
  invoiceSearchChars: 64,
  /** ms. Longest delay that the platform's queue takes; a message that comes before its time is put back. */
  queueDelayMs: 43_200_000,
  /** seconds. Pause of a message whose handling failed for want of database or queue. */
  queuePauseS: 30,
} as const;
