/** Limits of wallets: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const WALLET_LIMITS = {
  /** bytes. Memo of a payment, fixed by the note format; longer is refused. */
  memoBytes: 512,
  /** blocks. Chain blocks a wallet remembers to undo a reorganisation; a deeper one makes it scan again. */
  walletRecentBlocks: 2_112,
  /** bytes. A record of a browser's store with rows of a wallet's state; a longer row takes several such lengths. */
  storedRecordBytes: 16_384,
  /** records. Of those read from a browser's store at once. */
  storedRecordsAtOnce: 64,
  /** blocks. Chain blocks of an epoch: a wallet that comes back asks from the start of one, so that its last look stays vague. */
  walletEpochBlocks: 1_024n,
  /** epochs. A wallet begins to scan at a multiple of so many epochs: its birthday stays vague. */
  walletBirthdayEpochs: 16n,
  /** anchor ages. How far below the tip a restored wallet begins that reads recent blocks first: about a day, where a payment may be 27,000 blocks old. */
  walletRecentAges: 3n,
  /** anchor ages. A wallet whose birthday lies less far below the tip reads everything at once. */
  walletOlderAges: 12n,
  /** ms. Pause between two tries to join older blocks to recent ones, while a payment is being made or the chains differ. */
  walletOlderPauseMs: 5_000,
  /** pages. Pages a wallet takes between two looks at the node's tip: no row of pages is without an end. */
  walletWalkPages: 256,
  /** pages. Pages of blocks a wallet holds that are asked for and not yet scanned; more wait for room. */
  walletPagesAhead: 64,
  /** bytes. The same pages together; a page that arrives while they are fewer is still taken whole. */
  walletBytesAhead: 67_108_864,
  /** times. Tries to take in the first of the pages that wait, after which the fault of this machine is told. */
  walletTriesAhead: 5,
  /** ms. Shortest pause between two pages, whatever the scan of the first one found. */
  walletPageEveryMs: 100,
  /** microseconds. Longer pause for each leaf of the page before: what a leaf costs if it is one's own, so that an owner keeps up. */
  walletLeafPaceUs: 100,
  /** ms. A wallet whose pages wait for their scan asks again after whole multiples of this. */
  walletStallStepMs: 1_000,
  /** ms. How much earlier than the day a person names a scan begins: blocks do not keep to the clock. */
  walletBirthdayMarginMs: 172_800_000n,
  /** blue score. How much work above a block evidence of many minutes shows: some 250 headers of a block level, which chance hardly moves. */
  evidenceFarDepth: 1_000n,
  /** blue score. How much work above a block evidence of the last blocks shows. */
  evidenceNearDepth: 15n,
  /** bytes. Evidence of many minutes on one day, while a wallet is open; longer answers are asked for less often. */
  evidenceFarDayBytes: 2_621_440,
  /** bytes. The same of evidence of the last blocks: with merge-mined headers of 830 bytes once in a quarter of an hour, before a tip counts as old. */
  evidenceNearDayBytes: 1_441_792,
  /** blue score. How far evidence of the last blocks may run ahead of its share of the day: a few answers in a row. */
  evidenceNearBurst: 4_500n,
  /** times. Looks at a node in a row that bring no evidence, after which the wallet says so. */
  evidenceTries: 3,
  /** blue score. How long missing evidence is not asked for again. */
  evidenceMissPause: 300n,
  /** ms. A tip older than this is told as old: on a network of one block a second no honest pause is as long. */
  evidenceStaleMs: 1_200_000n,
  /** payments. One of so many applied payments is drawn and looked at whole, at most one a page. */
  evidencePayloadOneIn: 64,
  /** payments. Drawn ones that wait for evidence of their blocks, some 1 kB each to show; beyond it chance decides which stay. */
  evidenceDrawnMax: 32,
  /** payments. Of those, shown with one evidence: four take 4 kB, which leave 19 minutes between two looks with merge-mined headers, below the age at which a tip counts as old. */
  evidenceDrawnPerLook: 4,
  /** blue score. A drawn block so far below the tip is old: a node may lack the log of old blocks, and is not named for it. */
  evidenceDrawnRecent: 3_600n,
  /** DAA score. So far above the height from which the log has blocks no remembered block is from before it, whatever its page says. */
  evidenceLogSettled: 100_000n,
  /** blue score. How often pages are compared with a second node; one that tells a page otherwise is asked again after four times that. A wallet that comes back compares at most twice as much once more. */
  evidenceCompareEvery: 300n,
  /** ms. How often the tip of a second node is looked at. */
  evidenceTipEveryMs: 60_000n,
  /** ms. A second node that gave no answer is asked again after so long, where another one stands in for it. */
  evidenceSecondReturnMs: 600_000n,
  /** blocks. Receipts of young payments name a block whose index is a multiple of this, so that many wallets name the same. */
  receiptGridBlocks: 64n,
  /** levels. Height of the largest part of the own note tree that is read at once to look for a leaf: 4,096 leaves, 256 KiB with the nodes above them. */
  leafSearchHeight: 12,
  /** actions. What fits a standard transaction: 124,744 bytes of bundle (specification shielded 13.1). */
  walletActionsMax: 38,
  /** payees. One action of a full transaction stays free for the change. */
  walletPayeesMax: 37,
  /** blue score. A wallet this close to the node's tip counts as synced and may pay. */
  walletSyncedWithin: 32n,
  /** transactions. Of one consolidation that its owner confirms; what is left waits for the next one. */
  mergeTransactionsMax: 12,
  /** parts. A merge that costs more than one part in so many of what it merges is not offered. */
  mergeCostShare: 100n,
  /** notes. A wallet with no more of them that can be spent is not merged in the background. */
  mergeBackgroundAbove: 48,
  /** sompi. The most that one merge in the background may cost, a little above what 38 notes do; the signer signs none above. */
  mergeBackgroundFee: 25_000_000n,
  /** merges. In the background between unlocking and locking; the signer signs no more, whoever asks. */
  mergesPerUnlock: 24,
  /** bytes. A file of payouts; longer is refused unread. */
  payoutBytes: 10_485_760,
  /** payouts. In one file; one more is refused. */
  payoutRows: 10_000,
  /** characters. A field of such a file; longer is refused. Room for a memo and its escapes. */
  payoutFieldChars: 4_096,
  /** characters. The reference of a payout; longer is refused. */
  payoutReferenceChars: 128,
  /** faults. Of a file's rows, told at once; a person mends those first. */
  payoutFaults: 100,
  /** characters. A payment link; longer is refused. */
  paymentUriChars: 1_024,
  /** characters. The name that an owner gives to an address; what is longer is cut. */
  addressLabelChars: 60,
  /** characters. The remark that an owner gives to a payment; what is longer is cut. */
  paymentLabelChars: 200,
  /** characters. At each end of an address: one that equals a known one in both, and is another one, is warned of. */
  lookAlikeChars: 6,
  /** characters. The key under which such a remark is stored, a transaction's identity or a payment's; a longer one is refused. */
  paymentKeyChars: 128,
  /** characters. The name of a contact; what is longer is cut. */
  contactNameChars: 60,
  /** contacts. That a browser wallet keeps; one more is refused. */
  contactsMax: 200,
  /** characters. A message that a browser wallet signs or checks; longer is refused. */
  signedMessageChars: 4_096,
  /** transactions. Unconfirmed receipts shown as incoming; the oldest is dropped. */
  walletIncomingMax: 1_000,
  /** actions. A pool transaction in a live frame: the most that fit a block; larger is refused. */
  poolFrameActions: 78,
  /** ms. First pause before a wallet asks an unreachable node again; each further one is twice as long. */
  walletRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  walletRetryLongestMs: 30_000,
  /** payments. Refused ones of which a wallet knows whose turn it is; the oldest begins with the first node again. */
  handOverTurns: 64,
  /** ms. A payment not seen in a block for this long is handed to the node again, byte for byte. */
  walletResubmitMs: 60_000,
  /** requests. Failures in a row after which the wallet says that it is offline. */
  walletOfflineAfter: 5,
  /** times. Reorganisations in a row, without progress between them, after which the node is not believed. */
  walletReorgsInARow: 3,
  /** ms. A node that takes longer for one answer counts as away. */
  nodeRequestMs: 15_000,
  /** bytes. An answer of a node with a page of records: a page is cut at 4 MiB, and one block alone may be longer. */
  nodePageBytes: 33_554_432,
  /** bytes. Any other answer of a node; a longer one is not read to its end. */
  nodeAnswerBytes: 1_048_576,
  /** characters. An error answer of a node: code, sentence and data; a longer one counts as an error without a code. */
  nodeErrorChars: 16_384,
} as const;
