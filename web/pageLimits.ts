/**
 * Resource limits of the browser pages: for each its unit, what it bounds, and what happens beyond it. `LIMITS.md` shows
 * them.
 */

/** Name, unit in the comment, what happens beyond it. */
export const PAGE_LIMITS = {
  /** ms. A page that has waited so long for its core says that it has not come; it goes on waiting. */
  coreSlowMs: 10_000,
  /** ms. A newer build that the owner of the wallet asked for has so long to take over, on a busy machine too; then the server gives the page. */
  pageTakeOverMs: 60_000,
  /** ms. So long a page that has just begun asks the newer build to take over; a press or a key in it ends that. */
  pageTakeOverAskMs: 60_000,
  /** ms. Pause between two requests of a page that has just begun to let the newer build take over. */
  pageTakeOverAgainMs: 300,
  /** ms. How long a page waits for its server to say whether a script of its own is still there. */
  walletScriptMs: 10_000,
  /** looks. How often a wallet whose browser closed its store looks whether the data are gone; a removal takes a second. */
  walletStoreLooks: 5,
  /** wallets. In one browser profile; one more is not made. */
  walletsMax: 16,
  /** wallets. Read of the stored list, and looked for among the databases. This program makes no more; others stay where they are. */
  walletListReadMax: 64,
  /** characters. The name of a wallet; what is longer is cut. */
  walletNameChars: 40,
  /** characters. Shortest passphrase a wallet takes: a copied vault can be attacked offline. */
  passphraseMinChars: 10,
  /** characters. From so many on, rows and repetition not counted, a passphrase is called strong; a shorter one is taken all the same. */
  passphraseStrongChars: 18,
  /** characters. Of a passphrase that its strength is told of; what is behind them does not count. */
  passphraseLookedChars: 256,
  /** KiB. Argon2id memory of the vault's passphrase slot: with the passes, about a second on a laptop. */
  vaultKdfMemoryKib: 65_536,
  /** passes. Argon2id passes of the vault's passphrase slot. */
  vaultKdfPasses: 3,
  /** KiB. The weakest Argon2id that a vault record may ask for; weaker records are refused. */
  vaultKdfMemoryMinKib: 19_456,
  /** KiB. The costliest Argon2id that a vault record may ask for; costlier records are refused. */
  vaultKdfMemoryMaxKib: 262_144,
  /** passes. Fewest passes that a vault record may ask for; records with fewer are refused. */
  vaultKdfPassesMin: 2,
  /** passes. Most passes that a vault record may ask for; records with more are refused. */
  vaultKdfPassesMax: 16,
  /** attempts. Wrong passphrases without a pause; then 1 s, 2 s, 4 s … up to the longest pause. */
  unlockFreeAttempts: 3,
  /** ms. Longest of those pauses. */
  unlockPauseLongestMs: 30_000,
  /** ms. Without a key press or a touch for this long an open wallet locks itself. */
  walletIdleLockMs: 900_000,
  /** ms. The shortest time without input that its owner can choose instead. */
  autoLockShortestMs: 60_000,
  /** ms. A short one. */
  autoLockShortMs: 300_000,
  /** ms. The longest one: there is no choice never to lock. */
  autoLockLongestMs: 3_600_000,
  /** bytes. A backup file of a wallet; a larger one is neither written nor read. Twice `backupAnnotationsBytes`, since it is hexadecimal, and 64 KiB. */
  backupFileBytes: 8_454_144,
  /** bytes. Names, remarks and contacts in it, as JSON; the record that goes beyond it is left out, and the wallet says so. */
  backupAnnotationsBytes: 4_194_304,
  /** bytes. Its contents are filled up with blanks to a multiple of this, so that its length tells little of them. */
  backupStepBytes: 4_096,
  /** addresses. An address below this that has a name counts as handed out, and so do all before it; a name beyond, which a backup may bring, does not. */
  namedAddressesMax: 4_096,
  /** leaves. Note commitments in one encrypted record of the browser's store: 32 KiB. */
  storedTreeChunkLeaves: 1_024,
  /** threads. Scan workers of a browser; one core is left for the page. */
  scanWorkersMax: 4,
  /** records. The least that is worth a scan worker of its own. */
  scanRecordsPerJob: 32,
  /** ms. The last part of a scan whose pace tells how long it still takes. */
  scanPaceMs: 20_000,
  /** ms. A shorter part tells no pace. */
  scanPaceLeastMs: 3_000,
  /** looks. Of that part that are remembered; beyond it the second oldest goes. */
  scanPaceLooks: 256,
  /** nodes. That a wallet knows, listed by the build or added; one more is refused. */
  knownNodesMax: 16,
  /** characters. A stored choice of nodes; a longer one counts as none. */
  storedNodesChars: 8_192,
  /** ms. How often the nodes that are not followed are looked at while their list is open. */
  nodeListEveryMs: 30_000,
  /** ms. Pause between looks at the node when the live connection gives no news. */
  walletPollMs: 2_000,
  /** ms. A last block older than this by the wallet's own clock is shown with its time: the node's chain may stand still. */
  walletStaleMs: 1_800_000,
  /** ms. First pause before a browser opens its live connection again; each further one is twice as long. */
  liveRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  liveRetryLongestMs: 15_000,
  /** ms. A prover without work for this long is ended: its memory never shrinks by itself. */
  proverIdleMs: 120_000,
  /** ms. Least time between two tries to go on with a payment over several transactions. */
  orderResumeMs: 10_000,
  /** ms. Shortest wait after unlocking before notes are looked at for a merge in the background. */
  mergeFirstLeastMs: 60_000,
  /** ms. Longest such wait; chance draws it. */
  mergeFirstMostMs: 600_000,
  /** ms. Shortest pause between two such looks. */
  mergeEveryLeastMs: 600_000,
  /** ms. Longest such pause; chance draws it. */
  mergeEveryMostMs: 1_800_000,
  /** rows. History lines handed to the page at once; more on request. */
  historyPageRows: 50,
  /** ms. First pause between two questions of a checkout page that has no event stream; each further one is twice as long. */
  checkoutPollFirstMs: 3_000,
  /** ms. Longest of those pauses. */
  checkoutPollLongestMs: 15_000,
  /** ms. Least time between two renewals of a checkout page, however fast its invoice changes. */
  checkoutRenewMs: 1_000,
  /** ms. A payer reads that the payment is complete for this long, then goes on to the shop. */
  checkoutRedirectMs: 1_200,
  /** bytes. A file of a receipt, or of its text, that a page checks; a larger one is not read. */
  checkReceiptBytes: 262_144,
  /** ms. How long a page waits for all that anchors a receipt. */
  checkAnchorMs: 30_000,
  /** ms. How long a button says that it has copied. */
  copiedMs: 2_000,
  /** ms. A till waits so long for an answer of its gateway, then says that there was none. */
  posCallMs: 15_000,
  /** ms. A sale that was begun without an answer is the same one for so long; an equal sum is another customer's from then on. */
  posSameSaleMs: 120_000,
  /** ms. How often a till asks for the newest price of a coin while somebody looks at it. */
  posRateEveryMs: 60_000,
  /** ms. Least time between two questions of an open explorer page, or of its graph, for one document that moves with the chain. */
  explorerPollMs: 750,
  /** ms. The same for documents that move slowly. */
  explorerPollSlowMs: 5_000,
  /** ms. The same for documents that hardly move. */
  explorerPollRareMs: 30_000,
  /** ms. Longest pause after failures, whatever the server asks for: a page comes back within it. */
  explorerRetryLongestMs: 60_000,
  /** seconds. A document that is fresh for so long hardly moves. */
  explorerFreshRareS: 60,
  /** ms. How often such a page looks whether a question is due. */
  explorerLookMs: 100,
  /** ms. How long it waits for an answer; then it shows what it had, with its age. */
  explorerAnswerMs: 8_000,
  /** ms. How often the ages that it shows are written anew. */
  explorerClockMs: 1_000,
  /** documents. Minutes of a replay that the list beside the graph may show: the played one, those loaded ahead, and some behind. */
  graphListedMinutes: 8,
  /** ms. First pause before the graph asks again after a failure; each further one is twice as long. */
  graphRetryFirstMs: 1_000,
  /** ms. Longest of those pauses. */
  graphRetryLongestMs: 30_000,
  /** ms. The graph gives up waiting for an answer after this long and asks again. */
  graphAnswerMs: 10_000,
  /** ms. A frame of the graph moves a replay on by at most this much of the reader's time: a tab that slept does not leap. */
  graphFrameMostMs: 250,
  /** ms. Least time between two changes of the words beside the graph. */
  graphStatusMs: 250,
  /** ms. Least time between two sentences that the graph has a screen reader say about new blocks. */
  graphAnnounceMs: 10_000,
  /** rows. Of a chart's table; the CSV has all values. */
  chartTableRows: 48,
  /** ms. How long one frame of an animated QR code stands: a phone takes several pictures of it meanwhile. */
  qrFrameMs: 220,
  /** pixels. Longest side of a picture in which a QR code is looked for; larger ones are made smaller. */
  cameraPictureSide: 1_600,
  /** ms. Longest search for a QR code in a picture of the camera; the next picture comes anyway. */
  cameraLookMs: 60,
  /** ms. Pause between two pictures of the camera, in which the page stays responsive. */
  cameraLookEveryMs: 40,
  /** ms. Longest search for a QR code in an image file. */
  cameraImageMs: 1_500,
  /** files. Images read at one choice; the rest is left out. */
  signerImagesMax: 1_200,
  /** characters. Pasted text that is looked at: all frames of the longest payment. */
  signerPasteChars: 400_000,
  /** ms. Longest wait for a document or the bytes of a block that is checked. */
  checkAnswerMs: 20_000,
  /** bytes. Longest of these answers: what a chain block merged, accepted and applied; the core takes 8 MiB. */
  checkAnswerBytes: 8 << 20,
  /** ms. Longest wait for a piece of evidence of the chain: without it the rest of a check is shown. */
  checkEvidenceMs: 10_000,
  /** ms. Longest wait for all evidence of one block. */
  checkChainMs: 15_000,
  /** bytes. Longest of these pieces: the headers of a run. */
  checkEvidenceBytes: 1 << 20,
  /** blue scores. Between a node's tip and the state that a page has opened to find blocks in its log: the headers above it take some 65 kB, 125 kB when merge-mined. */
  checkTipBlocks: 150,
  /** ms. For each such time since a block whose page is open, the headers above it may be easier by one halving more: a network that lost most of its miners is no liar. */
  checkFloorHalvingMs: 21_600_000n,
  /** ms. For so long one proof of the tip serves every block that a page checks. */
  checkTipKeptMs: 60_000,
  /** characters. Longest text that is pasted to be checked: a disclosure with its memo, a message. */
  checkPasteChars: 20_000,
  /** ms. How long a page may be busy before it begins to check by itself. */
  checkIdleMs: 4_000,
  /** ms. Least pause before a page compares again what has changed since it was checked: a block stands above the newest one by then. */
  checkAgainMs: 2_500,
  /** blocks. Asked for to see whether they carry the payments that a page shows: a few megabytes at most. */
  checkCarriers: 8,
  /** addresses. Handed to the page at once, the newest first; more on request. */
  addressPageRows: 20,
  /** ms. Longest wait for the texts of another language before the page is shown in English; it changes when they come. */
  languageWaitMs: 1_500,
  /** ms. How long the browser may ask a person for the passkey of this device; then it counts as cancelled. */
  deviceAskMs: 120_000,
  /** bytes. Longest id of a passkey (CTAP 2.1); a vault that names a longer one keeps its slot of the device shut. */
  deviceCredentialBytes: 1_023,
  /** addresses. The newest own ones that a message can be signed for; older ones are not offered. */
  messageAddresses: 200,
  /** ms. Least time between two states that the tab with the wallet shows to the others; they are told the newest. */
  tabShowEveryMs: 250,
  /** tabs. That follow the one with the wallet; one more shows where it is open, and no more. */
  tabFollowersMax: 16,
  /** characters. A state that is shown to other tabs; a longer one is not sent, and not read. */
  tabShownChars: 262_144,
  /** characters. A text of a question of another tab; a longer one is not read. */
  tabAskChars: 4_096,
  /** questions. Without an answer yet, of one tab and of all together; one more is refused. */
  tabAsksMax: 8,
  /** characters. An answer to another tab: a file of a long history; a longer one is refused. */
  tabAnswerChars: 33_554_432,
} as const;
