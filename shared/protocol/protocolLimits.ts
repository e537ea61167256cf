/** Limits of the browser protocol and the wallet API: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const PROTOCOL_LIMITS = {
  /** blocks. Records in one page of the browser protocol; a larger request gets this many. */
  recordPageMax: 2_000,
  /** payments. Waiting payments in one answer, the newest; an answer with more is refused. */
  poolPageMax: 2_000,
  /** ms. A client of the wallet API waits so long for an answer that needs no work. */
  walletCallMs: 10_000,
  /** ms. For a viewing key or seed to be taken over, whose scan may begin with the tree of an old block. */
  walletWatchMs: 180_000,
  /** ms. For a payment or a prepared one: proofs of 38 notes take a minute and a half on one core. */
  walletSendMs: 300_000,
  /** ms. For a batch of payments, which is proved transaction by transaction. */
  walletSendManyMs: 900_000,
  /** ms. For notes to be merged: a full transaction, behind the payments that go first. */
  walletConsolidateMs: 600_000,
  /** ms. For a signed payment to be broadcast. */
  walletSubmitMs: 60_000,
  /** calls. Times that the status of a wallet that is being opened is asked for before a payment, half a minute in all. */
  readyTriesMax: 31,
  /** ms. Wait between two of these calls. */
  readyPauseMs: 1_000,
  /** ms. For history, the deposit feed and the begin of a rescan. */
  walletHistoryMs: 30_000,
  /** ms. For a message to be signed or checked, and for settings. */
  walletSignMs: 15_000,
  /** bytes. An answer of the wallet API: 274,000 notes have 11 MB; a client reads no further. */
  walletAnswerBytes: 33_554_432,
  /** bytes. Text of whoever asks for a receipt, as the form of receipts bounds it; a longer one is refused. */
  receiptChallengeBytes: 256,
  /** rows. Payments of a history in one answer when the caller names no number. */
  historyRowsDefault: 500,
  /** rows. Most payments of a history in one answer; a larger request gets this many. */
  historyRowsMax: 5_000,
  /** rows. Events of the deposit feed in one answer when the caller names no number. */
  eventRowsDefault: 500,
  /** rows. Most events in one answer; a larger request gets this many. */
  eventRowsMax: 5_000,
  /** rows. Deliveries to a webhook in one answer when the caller names no number. */
  webhookRowsDefault: 100,
  /** rows. Most deliveries in one answer; a larger request gets this many. */
  webhookRowsMax: 500,
  /** scopes. That a request for a token may list; more are refused. */
  tokenScopesMax: 8,
  /** payees. That a request for a token may list; the wallet daemon takes fewer. */
  tokenPayeesMax: 1_000,
  /** payees. Of a payment that waits for approval, which are listed; their number and sum count all. */
  approvalPayeesShown: 100,
  /** seconds. Longest that a reader of the deposit feed may ask to wait for the next event. */
  eventWaitSeconds: 25,
  /** characters. An idempotency key; a longer one is refused. */
  idempotencyKeyChars: 255,
  /** payees. Of one call that pays many; more are refused. They take some 270 transactions, and as many proofs. */
  payeesPerCall: 10_000,
  /** signatures. Of one prepared payment, which spends 38 notes at most; more is refused. */
  signaturesPerCall: 38,
  /** characters. The address of a webhook; a longer one is refused. */
  webhookUrlChars: 2_048,
  /** ms. How long a client waits for an answer of the public REST interface. */
  restAnswerMs: 10_000,
  /** blocks. Listed by the public REST interface when nothing else is asked for. */
  restBlocksDefault: 50,
  /** blocks. Listed by the public REST interface at most. */
  restBlocksMax: 200,
  /** blue scores. How far below the sink the state lies whose blocks the public REST interface names when the caller names no depth. */
  restEvidenceDepth: 600,
  /** blue scores. The same at most: so much one run spans. */
  restEvidenceDepthMost: 7_200,
  /** ids. Of one search for transactions; more are refused. */
  restSearchIds: 64,
  /** hashes. A bucket of the search by prefix holds no fewer, unless there are no more: so many are asked about at once. */
  restBucketLeast: 256,
  /** bytes. A bucket of the search by prefix at most; a longer prefix is asked for instead. */
  restBucketBytes: 16_384,
  /** rows. Reorganisations listed at most. */
  restReorgsMax: 200,
  /** ms. How long the receiver of a webhook has, from the name lookup to the end of its answer; then the try has failed. */
  webhookAnswerMs: 10_000,
  /** bytes. Of a receiver's answer, whose status alone counts; the connection is cut there. */
  webhookAnswerBytes: 65_536,
  /** seconds. How far the time in a webhook's signature may be from the receiver's clock, either way. */
  webhookToleranceS: 300n,
  /** characters. A header with signatures of a webhook; a longer one is refused unread. Room for eight of them. */
  webhookHeaderChars: 1_024,
  /** characters. A pairing code: a host name of 253, two tokens of 128, a fingerprint and what stands between; a longer one is refused. */
  pairingChars: 700,
  /** characters. Of the header that says which content codings a browser takes; a longer one counts as none. Browsers send some 25. */
  acceptEncodingChars: 512,
} as const;
