/**
 * Bounds of everything that queues, caches or waits on the TypeScript side.
 *
 * Each limit has a comment of its own: the unit, a full stop, then what it bounds and what happens
 * beyond it. `LIMITS.md` is written from them (`npm run generate`). Bounds of the core live in its
 * own limits file, numbers of a network in its profile.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of the TypeScript side. Name, unit in the comment, what happens beyond it. */
export const LIMITS = {
  /** bytes. A raw transaction posted to the node: 124,744 bytes of bundle and its envelope; larger is refused. */
  rawTransactionBytes: 125_000,
  /** blocks. Records in one page of the browser protocol; a larger request gets this many. */
  recordPageMax: 2_000,
  /** blocks. Records in a page when the caller names no number. */
  recordPageDefault: 500,
  /** hashes. Locator of a wallet that looks for the common block; more is refused. */
  locateHashesMax: 64,
  /** rows. Anchors in one answer; a larger request gets this many. */
  anchorRowsMax: 2_000,
  /** frames. Live blocks a browser may leave unacknowledged before the node pauses its stream. */
  liveCreditBlocks: 256,
  /** blocks. How long before a change of rules a node begins to say so, in its log and to its clients. */
  ruleChangeAheadBlocks: 100_000n,
  /** rows. Chain blocks in one answer for the blocks page when the caller names no number. */
  chainRowsDefault: 40,
  /** rows. Most chain blocks in one such answer; a larger request gets this many. */
  chainRowsMax: 200,
  /** bytes. A request of a page to its local node; larger is refused. */
  localRequestBytes: 4_096,
  /** connections. Live connections of a node; one more is told to try again later. */
  liveConnections: 256,
  /** bytes. A frame from a browser: the longest has 42; larger closes the connection. */
  liveClientFrameBytes: 256,
  /** bytes. Sent and not yet taken by a browser; beyond it no further block is sent, with twice as many the connection is closed. */
  liveBufferBytes: 8 * MIB,
  /** ms. Time between signs of life on a live connection; one without an answer is closed. */
  livePingMs: 20_000,
  /** signs of life. So many in a row at which a live connection had taken nothing of what waits for it close it. */
  liveStillPings: 6,
  /** connections. Live connections of one host: pages of several people behind one address; one more is told to try again later. */
  liveConnectionsPerHost: 32,
  /** ms. A request must have arrived whole within this time. */
  httpRequestMs: 30_000,
  /** ms. The head of a request must have arrived within this time; a connection that says nothing is closed after it too. */
  httpHeadMs: 10_000,
  /** ms. How often late heads and requests are looked for. */
  httpLookMs: 2_000,
  /** ms. A connection on which nothing has moved for so long is closed, an answer that is not read among them. */
  httpIdleMs: 120_000,
  /** bytes. Request line and headers; longer is refused. */
  httpHeadBytes: 16_384,
  /** headers. Headers of a request that are looked at; further ones are passed over. */
  httpHeaders: 64,
  /** connections. HTTP connections open at once; the host with the most gives one up for a new one. */
  httpConnections: 1_024,
  /** connections. HTTP connections of one host, live ones among them; one more is closed. A trusted proxy has no such share. */
  httpConnectionsPerHost: 128,
  /** requests a second. What one host may ask over HTTP; more is refused with the time to wait. */
  httpRequestsPerSecond: 200,
  /** requests. What one host may ask at once after a pause. */
  httpRequestsBurst: 2_000,
  /** requests a second. What all hosts together may ask over HTTP. */
  httpRequestsPerSecondAll: 4_000,
  /** requests. What all hosts together may ask at once after a pause. */
  httpRequestsBurstAll: 16_000,
  /** hosts. Whose rates over HTTP are remembered; the one that asked longest ago is forgotten. */
  httpSources: 16_384,
  /** hosts. Hosts whose questions over HTTP are worked on at the same time, one of each; the others take turns. */
  httpTurns: 16,
  /** requests. Questions of one host that wait for its turn; more are refused. */
  httpWaitingPerHost: 128,
  /** bytes. Answers and live frames that one host has not taken yet; with more it is answered nothing new and gets no further live block. */
  httpUnsentPerHost: 32 * MIB,
  /** bytes. Answers and live frames that all hosts together have not taken yet; beyond it the host with the most loses its connections. */
  httpUnsentBytes: 256 * MIB,
  /** bytes. Memo of a payment, fixed by the note format; longer is refused. */
  memoBytes: 512,

  /** blocks. Chain blocks a wallet remembers to undo a reorganisation; a deeper one makes it scan again. */
  walletRecentBlocks: 2_112,
  /** blocks. Chain blocks of an epoch: a wallet that comes back asks from the start of one, so that its last look stays vague. */
  walletEpochBlocks: 1_024n,
  /** epochs. A wallet begins to scan at a multiple of so many epochs: its birthday stays vague. */
  walletBirthdayEpochs: 16n,
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
  /** notes. Spends of one payment unless the user raises it: proving time grows with each. */
  walletSpendsDefault: 10,
  /** actions. What fits a standard transaction: 124,744 bytes of bundle (specification shielded 13.1). */
  walletActionsMax: 38,
  /** payees. One action of a full transaction stays free for the change. */
  walletPayeesMax: 37,
  /** blue score. A wallet this close to the node's tip counts as synced and may pay. */
  walletSyncedWithin: 32n,
  /** characters. A payment link; longer is refused. */
  paymentUriChars: 1_024,
  /** transactions. Unconfirmed receipts shown as incoming; the oldest is dropped. */
  walletIncomingMax: 1_000,
  /** actions. A pool transaction in a live frame: the most that fit a block; larger is refused. */
  poolFrameActions: 78,
  /** ms. First pause before a wallet asks an unreachable node again; each further one is twice as long. */
  walletRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  walletRetryLongestMs: 30_000,
  /** ms. How long a page waits for its server to say whether a script of its own is still there. */
  walletScriptMs: 10_000,
  /** looks. How often a wallet whose browser closed its store looks whether the data are gone; a removal takes a second. */
  walletStoreLooks: 5,
  /** ms. A payment not seen in a block for this long is handed to the node again, byte for byte. */
  walletResubmitMs: 60_000,
  /** requests. Failures in a row after which the wallet says that it is offline. */
  walletOfflineAfter: 5,
  /** times. Reorganisations in a row, without progress between them, after which the node is not believed. */
  walletReorgsInARow: 3,
  /** characters. Shortest passphrase a wallet takes: a copied vault can be attacked offline. */
  passphraseMinChars: 10,
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
  /** leaves. Note commitments in one encrypted record of the browser's store: 32 KiB. */
  storedTreeChunkLeaves: 1_024,
  /** threads. Scan workers of a browser; one core is left for the page. */
  scanWorkersMax: 4,
  /** records. The least that is worth a scan worker of its own. */
  scanRecordsPerJob: 32,
  /** ms. Pause between looks at the node when the live connection gives no news. */
  walletPollMs: 2_000,
  /** ms. A last block older than this by the wallet's own clock is shown with its time: the node's chain may stand still. */
  walletStaleMs: 1_800_000,
  /** ms. A node that takes longer for one answer counts as away. */
  nodeRequestMs: 15_000,
  /** bytes. An answer of a node with a page of records: a page is cut at 4 MiB, and one block alone may be longer. */
  nodePageBytes: 33_554_432,
  /** bytes. Any other answer of a node; a longer one is not read to its end. */
  nodeAnswerBytes: 1_048_576,
  /** ms. First pause before a browser opens its live connection again; each further one is twice as long. */
  liveRetryFirstMs: 500,
  /** ms. Longest of those pauses. */
  liveRetryLongestMs: 15_000,
  /** ms. A prover without work for this long is ended: its memory never shrinks by itself. */
  proverIdleMs: 120_000,
  /** rows. History lines handed to the page at once; more on request. */
  historyPageRows: 50,
  /** rows. Chain blocks that the blocks page keeps; older ones are loaded on request. */
  blocksPageRows: 40,
  /** ms. Least time between two refreshes of the blocks page, however fast blocks come. */
  blocksRefreshMs: 400,
  /** MiB. New objects of a thread between two collections, from first to last: twice that is what they take at most, in five threads. */
  youngHeapMib: 4,
  /** MiB. Old objects of a worker thread, several times what any of them was seen to hold; one that needs more is started anew. */
  threadHeapMib: 512,
  /** arenas. Of the C library's allocator in one program: each keeps what was freed for its threads, up to eight a core. */
  mallocArenas: 2,
  /** bytes. Address space reserved for one database; commits beyond it fail and the node stops cleanly. */
  lmdbMapBytes: 64 * 1024 * MIB,
  /** ms. How often a node looks how much of that space its databases have filled. */
  roomLookMs: 600_000,
  /** percent. Of that space; beyond it the operator is warned. */
  roomWarnPercent: 75,
  /** percent. A database that grew by this much since the last warning is warned of again. */
  roomWarnStep: 5,
  /** bytes. Of the disk that holds the data: no commit begins that could leave less. For a stop, and for what others write meanwhile. */
  diskReserveBytes: 64 * MIB,
  /** bytes. A node that has less left on the disk of its data stops: more than the reserve, so that it stops at rest. */
  diskStopBytes: 128 * MIB,
  /** bytes. With less left a node does not start: it would soon stop again. */
  diskStartBytes: 192 * MIB,
  /** bytes. With less left the operator is warned: about a day of full blocks before the end. */
  diskWarnBytes: 2048 * MIB,
  /** ms. How often a node looks how much room is left on the disk. Between two looks each commit does. */
  diskLookMs: 3_000,
  /** pages. On the way from the root to one value in a database of the largest size: what a changed value copies. */
  storeTreePages: 5,
  /** pages. New ones for a value that is written: its leaf and the branch above it may be full. */
  storeSplitPages: 2,
  /** pages. Leaves of a database that are looked at whenever it is opened, 256 MiB of them; after an unclean end all are. */
  storeCheckLeaves: 65_536,
  /** bytes. A set of pages in which each page that a database may have is one bit: its address space in pages of 4 KiB. A start looks at a database with three of them. */
  storeCheckSetBytes: (64 * 1024 * MIB) / 4_096 / 8,
  /** values. Large ones whose first pages are looked at together, in the order of the file, while all of a database is. */
  storeCheckRuns: 65_536,
  /** pages. Leaves of the list of free pages that are looked at before a database is opened; it seldom has more than some. */
  storeFreeListPages: 65_536,
  /** bytes. Table byte and key of a stored value; the longest of the engine is 65. */
  storeKeyBytes: 511,
  /** bytes. A segment file; the next value goes to a new one. A larger single value has a file of its own. */
  segmentFileBytes: 64 * MIB,
  /** bytes. Values of large tables up to this length stay in the database: a page holds several. */
  segmentValueBytes: KIB,
  /** files. Segment files kept open for reading; the one used longest ago is closed. */
  segmentOpenFiles: 64,
  /** rows. Read at once when a migration goes through a table. */
  migrationPageRows: 1_000,
  /** blocks. Blocks waiting for the engine; more are refused with queue/full. */
  ingestBlocks: 1_024,
  /** bytes. Blocks waiting for the engine, together; more are refused with queue/full. */
  ingestBytes: 128 * MIB,
  /** blocks. Of one source among them: four sources must agree to fill all places. */
  ingestSourceBlocks: 256,
  /** bytes. Of one source among them. */
  ingestSourceBytes: 32 * MIB,
  /** calls. Questions waiting for the engine or a reader; more are refused with queue/full. */
  engineQuestions: 4_096,
  /** calls. Questions answered before a waiting block gets its turn. */
  engineQuestionBurst: 64,
  /** blocks. Blocks resolved in one step of the engine, so that a question waits about 50 ms at most. */
  resolveStepBlocks: 4,
  /** blocks. Bulk loading: blocks that share one commit. */
  groupCommitBlocks: 200,
  /** milliseconds. Bulk loading: age of the oldest uncommitted block at which the group is committed. */
  groupCommitMs: 250,
  /** blocks. Bulk loading: a group of so many is committed when no further block waits; a commit costs as much as a few blocks. */
  groupCommitFew: 8,
  /** parts. A source below this part of its rate shares a bucket with such sources only, not with busy ones. */
  slowSourcePart: 10,
  /** sources. Whose use of costly work is remembered, per kind; one that is forgotten begins with a full burst. */
  workSources: 4_096,
  /** headers a second. Proof of work one source may ask for, 60 µs each and as much for the rules; more is refused. */
  headersPerSecond: 200,
  /** headers. At once after a pause: ten minutes of a network of one block a second, and several full calls. */
  headersBurst: 2_000,
  /** bytes. Of a block or a call of headers, for each token of a header: they are decoded and hashed before parents are looked at. */
  headerTokenBytes: 64 * KIB,
  /** headers. Paid besides for a header that is refused only by its difficulty window: up to 8,000 reads, some 30 ms. */
  refusedWindowHeaders: 100,
  /** headers a second. Of all sources together: about what one core judges. */
  headersPerSecondAll: 2_000,
  /** headers. At once after a pause, of all sources together. */
  headersBurstAll: 8_000,
  /** witnesses a second. Merge-mining witnesses one source may hand in: a second matrix and up to 262,144 bytes each. */
  witnessesPerSecond: 50,
  /** witnesses. At once after a pause. */
  witnessesBurst: 500,
  /** witnesses a second. Of all sources together. */
  witnessesPerSecondAll: 500,
  /** witnesses. At once after a pause, of all sources together. */
  witnessesBurstAll: 2_000,
  /** actions a second. Of payments from one source, whose proofs take a verifier 1 ms an action in batches and 26 ms alone; more are refused. */
  proofsPerSecond: 40,
  /** actions. At once after a pause: 256 payments of two actions, 13 of the longest. */
  proofsBurst: 512,
  /** actions a second. Of all sources together: what four verifiers judge in batches. */
  proofsPerSecondAll: 400,
  /** actions. At once after a pause, of all sources together. */
  proofsBurstAll: 2_048,
  /** actions. What a payment with a false proof costs its source on top: it is judged again alone and in ever smaller batches, some 50 ms. */
  falseProofActions: 50,
  /** blocks. Blocks kept while their parents are unknown; the oldest is dropped. */
  orphanBlocks: 600,
  /** bytes. Blocks kept while their parents are unknown, together; the oldest is dropped. */
  orphanBytes: 64 * MIB,
  /** bytes. A core that stopped and whose memory cannot grow by so much has used it up; else it stopped on a defect. */
  coreSpareBytes: 64 * MIB,
  /** ms. Of the steady clock between two looks whether the machine has slept; bans and ages of addresses lag by so much at most. */
  sleptLookMs: 1_000,
  /** times. That a thread ends by a store that lacks what it names or cannot be read, since the start; the node then stops. */
  storeFaultsMost: 4,
  /** restarts. Of the engine for want of memory or by a store that fails, without a block taken between them; then the node stops. */
  memoryRestarts: 5,
  /** restarts. Restarts of the engine or of one verifier without a success between them; then the node stops. */
  workerRestarts: 5,
  /** threads. Verifiers unless the user asks for another number; each holds its own tables. */
  verifyWorkersMax: 4,
  /** milliseconds. Longest pause between two blocks that a person may ask the local miner for: an hour. */
  blockIntervalMaxMs: 3_600_000,
  /** threads. Most threads that a person may ask for to make or check proofs; more are refused. */
  proofThreadsMax: 16,
  /** threads. Threads that share one proof unless the user asks for another number; more gain little. */
  proofThreadsDefault: 8,
  /** tasks. Of a proof, that another thread has at a time: it need not wait until the pool's thread has done its own. */
  proofTasksAhead: 2,
  /** jobs. Proofs that a verifier judges in one batch; the rest is judged next. */
  verifyBatchJobs: 64,
  /** bytes. Raw transactions of one such batch: a full block has fewer. */
  verifyBatchBytes: MIB,
  /** jobs. Of one source in a batch of waiting transactions: false proofs hold up all that are judged with them. */
  verifyBatchSourceJobs: 8,
  /** jobs. In a batch of sources none of whose proofs has held yet; false ones are found in about half a second. */
  verifyBatchStrangers: 8,
  /** jobs. Proofs of blocks that are enough company for a batch while a chain is caught up with. */
  verifyGatherJobs: 16,
  /** milliseconds. Such a proof waits this long for company at most. */
  verifyGatherMs: 250,
  /** jobs. Proofs that wait for the upstream verifier because the ordinary one fails on them: none is known. */
  verifyLastJobs: 64,
  /** jobs. Proofs waiting per running verifier at which another verifier is started. */
  verifyGrowQueue: 4,
  /** jobs. Proofs of arriving transactions waiting for a verifier; more are refused. */
  verifyJobs: 4_096,
  /** jobs. Of one source among them; more are refused. */
  verifySourceJobs: 32,
  /** proofs. Of blocks, asked for by the engine and not judged yet; the rest is asked for later. */
  blockProofs: 1_024,
  /** milliseconds. Pause before a proof of a block that could not be judged is asked for again. */
  verdictRetryMs: 1_000,
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
  /** grams. Transient mass offered to one template (the block limit, specification shielded 13.1). */
  templateTransientMass: 1_000_000,
  /** grams. Compute mass offered to one template. */
  templateComputeMass: 500_000,
  /** attempts. Template builds while candidates are refused; then the template goes out without them. */
  templateAttempts: 5,
  /** milliseconds. How long a template is served again while nothing changed. */
  templateMaxAgeMs: 1_000,
  /** templates. Templates remembered, one per pay address and extra data. */
  templateCache: 64,
  /** bytes. Lines of the log that wait for a slow reader; more are lost, and counted. A while of a busy node. */
  logWaitingBytes: 1 * MIB,
  /** lines. Of one message that the log takes at once, from level info on; more are left out, and counted. */
  logSameBurst: 60,
  /** lines a minute. Of one message after that. */
  logSamePerMinute: 12,
  /** messages. Whose lines are counted; a program has fewer, but for those with a figure in them. */
  logMessages: 256,
  /** milliseconds. A reader of the log that takes nothing is tried again after so long. */
  logRetryMs: 100,
  /** milliseconds. A signal this much later than the first ends the program at once. */
  secondSignalMs: 1_000,
  /** milliseconds. How long a program may take to stop after a fault that nothing caught; then it is ended. */
  faultStopMs: 30_000,
  /** milliseconds. How long a stopping component may take before it is ended. */
  stopMs: 10_000,
  /** bytes. Raw size of blocks or transactions in one gRPC answer; the rest is left for the next call. */
  rpcResponseBytes: 16 * MIB,
  /** bytes. A gRPC message from a client, unpacked: a full block in hexadecimal; larger ends the stream. */
  grpcRequestBytes: 16 * MIB,
  /** descriptors. For the node's own files, threads and timers: 52 at rest, some for each thread, the rest for segment files. */
  descriptorsOwn: 256,
  /** connections. Each kind of server that is wanted may take as many, or the node does not start. */
  connectionsLeast: 16,
  /** connections. Of gRPC clients at once, with and without a stream; the host with the most gives one up for one with fewer. */
  grpcConnections: 256,
  /** connections. gRPC streams open at once; the host with the most gives one up for one with fewer, more are refused. */
  grpcClients: 128,
  /** calls. Unanswered calls of one gRPC stream; beyond it the node stops reading from it. */
  grpcPendingCalls: 512,
  /** calls. Unanswered block submissions of one gRPC stream; more are refused at once. */
  grpcPendingBlocks: 256,
  /** messages. Answers and notifications waiting for a slow gRPC client; beyond it the stream ends. */
  grpcOutgoingMessages: 1_024,
  /** bytes. Of requests of one gRPC stream that are not answered; beyond it the node stops reading from it. */
  grpcPendingBytes: 32 * MIB,
  /** bytes. Answers that one gRPC client has not taken; with more none is made for it. */
  grpcRoomBytes: 4 * MIB,
  /** bytes. Answers that all gRPC clients together have not taken; beyond it one is made only for who has few unread. */
  grpcTotalRoomBytes: 64 * MIB,
  /** bytes. With fewer unread a gRPC client is answered whatever the others leave unread. */
  grpcRoomShare: 256 * KIB,
  /** bytes. Of answers that all gRPC clients together have not taken and of requests that are not answered; beyond it the host with the most loses its largest stream. */
  grpcUnsentBytes: 256 * MIB,
  /** bytes. Counted for each message that waits for a gRPC client, beside its own: what keeps it costs as much. */
  grpcMessageOverhead: 512,
  /** milliseconds. A gRPC client that takes no message for so long, and a second more for each `grpcSlowBytes`, is cut off. */
  grpcUnreadMs: 120_000,
  /** bytes a second. A gRPC client that reads more slowly is cut off. */
  grpcSlowBytes: 32 * KIB,
  /** answers. Of calls for pages of blocks, records or payments, that are made for gRPC clients at the same time, one for each host. */
  grpcLargeTurns: 2,
  /** milliseconds. A gRPC stream that the node ends is reset when the client has not read to its end by then. */
  grpcFarewellMs: 5_000,
  /** milliseconds. How long a gRPC client waits for an answer unless told otherwise. */
  grpcCallMs: 60_000,
  /** rows. Waiting transactions in one answer of the browser protocol; the newest are shown. */
  poolRowsMax: 2_000,
  /** milliseconds. A silent gRPC client is asked for a sign of life, and given up when none comes for as long again. */
  grpcKeepaliveMs: 60_000,

  /** blocks. One step of pruning deletes about so many, in a few milliseconds and a commit; then whoever waits is heard. */
  pruneStepBlocks: 32,
  /** blocks. Taken in between two steps of pruning by a node that is never idle: each step deletes several times as many. */
  pruneEveryBlocks: 8,

  /** headers. Of a pruning proof, judged in one call: some 50 ms, more where a forged graph makes them dear. */
  importProofStep: 256,
  /** headers. That one call makes a graph of, or judges with windows of up to 8,000 reads each. */
  importLinkStep: 64,
  /** headers. Of the chain above an imported pruning point, looked at in one call. */
  importChainStep: 2_048,
  /** ms. A peer's pruning proof that takes longer to judge is given up; one of 141,000 headers takes about a minute. */
  importProofMs: 600_000,
  /** ms. A peer's trusted headers that take longer to link are given up. */
  importLinkMs: 600_000,
  /** ms. Any other single call of an import that takes longer is given up. */
  importCallMs: 120_000,
  /** ms. A thread whose import was given up has this long to end by itself: then it ends in the middle of its step. */
  importAbandonMs: 1_000,
  /** records. Of history, replayed or joined in one step, so that a block waits about 50 ms at most. */
  historyStepRecords: 8,

  /** blocks. Blocks that `svc verify` hands to its engine before it compares their records. */
  checkPageBlocks: 128,
  /** proofs. A page of `svc verify` ends early when so many proofs have to be judged, 125 kB each at most. */
  checkPageProofs: 256,
  /** keys. Keys of a table that `svc verify` reads at once; Ctrl-C is heard in between. */
  checkPageKeys: 1_000,
  /** hashes. A list in a difference is spelled out up to here, a longer one is shown as bytes. */
  shownHashes: 8,
  /** bytes. Of a record in a difference, the part around the first byte that differs. */
  shownBytes: 48,
  /** bytes. How much of that part comes before the byte. */
  shownBytesBefore: 8,
  /** milliseconds. The line of progress of `svc verify` is written anew this often. */
  progressLineMs: 500,

  /** bytes. A peer's message without a list in it; larger ends the link. */
  p2pSmallBytes: 1_024,
  /** bytes. A peer's list of hashes or addresses: 2,000 hashes have 72,000; larger ends the link. */
  p2pListBytes: 128 * KIB,
  /** bytes. A peer's transaction: half of what a block may weigh has 125,000 bytes in a block; larger ends the link. */
  p2pTransactionBytes: 512 * KIB,
  /** bytes. A peer's list of transaction ids, 36 for each of 131,072; larger ends the link. */
  p2pIdListBytes: 5 * MIB,
  /** bytes. A peer's block or body; larger ends the link. */
  p2pBlockBytes: 8 * MIB,
  /** bytes. A peer's page of headers or state; larger ends the link. */
  p2pPageBytes: 32 * MIB,
  /** bytes. Of an envelope of a peer around its message: three tags, a length and two numbers; more ends the link. */
  p2pEnvelopeBytes: 64,
  /** messages. Small ones, and ones that nobody waits for, in a second from one peer; what is above the burst ends the link. */
  p2pSmallPerSecond: 200,
  /** messages. Of those at once: what gathers on a line that was cut for minutes. */
  p2pSmallBurst: 4_000,
  /** bytes. Of those in a second. */
  p2pSmallBytesPerSecond: 4 * MIB,
  /** bytes. Of those at once: the late answers to a question for bodies. */
  p2pSmallBytesBurst: 64 * MIB,
  /** bytes. A peer's pruning proof: 40,000 headers with witnesses have about 60 MB; larger ends the link. */
  p2pProofBytes: 256 * MIB,
  /** fields. Of a peer's message without a list in it; more ends the link. */
  p2pSmallParts: 64,
  /** fields. Of a peer's list: 2,500 addresses have 10,000, 2,000 hashes 4,000; more ends the link. */
  p2pListParts: 16_384,
  /** fields. Of a peer's transaction: 1,000 inputs and 1,000 outputs have 15,000; more ends the link. */
  p2pTransactionParts: 32_768,
  /** fields. Of a peer's block: 250,000 bytes of the smallest transactions have 80,000; more ends the link. */
  p2pBlockParts: 262_144,
  /** fields. Of a peer's page: 1,024 headers with 300 parents each have 650,000; more ends the link. */
  p2pPageParts: 1_048_576,
  /** fields. Of a peer's pruning proof: 40,000 headers with 80 parents each have 7 million; more ends the link. */
  p2pProofParts: 8_388_608,
  /** bytes. Messages to a peer from this size on are compressed where the library can. */
  p2pCompressBytes: 1_024,
  /** bytes. Handed to a peer and not taken by it; beyond it the link ends. */
  p2pUnsentBytes: 64 * MIB,
  /** bytes. Handed to a peer and not taken by it; whoever serves waits until they are fewer. */
  p2pRoomBytes: 4 * MIB,
  /** bytes. Handed to all peers and not taken by them; whoever serves waits until they are fewer. */
  p2pTotalRoomBytes: 128 * MIB,
  /** bytes. Counted for each message that waits, beside its own: what keeps it costs as much. */
  p2pMessageOverhead: 512,
  /** bytes. Handed to all peers and not taken by them; beyond it those end that have no room. */
  p2pTotalUnsentBytes: 512 * MIB,
  /** bytes. Below this a peer is served even while all together have taken too little: who does not read silences nobody. */
  p2pRoomShare: 256 * KIB,
  /** ms. A peer that takes nothing for so long while something waits for room is let go. */
  p2pRoomMs: 120_000,
  /** bytes. Handed to the library for a peer at a time; the rest waits here, where it is counted. */
  p2pHandedBytes: 256 * KIB,
  /** bytes. Of small messages that wait in one route; more ends the link. */
  p2pRouteBytes: 1 * MIB,
  /** bytes. Of large messages of a peer that wait for their flows; beyond it nothing more is read from it. */
  p2pQueuedBytes: 32 * MIB,
  /** bytes. Of large messages of all peers that wait; beyond it only those are read from that have few waiting. */
  p2pTotalQueuedBytes: 256 * MIB,
  /** bytes. Of large messages of a peer; with fewer it is read from whatever the others have waiting. */
  p2pQueuedShare: 1 * MIB,
  /** ms. A link that ends has this long to say why before it is cut off. */
  p2pCloseMs: 1_000,
  /** ms. A peer that is dialled must accept within this time. */
  p2pConnectMs: 1_000,
  /** ms. A peer that accepted must open the stream within this time. */
  p2pOpenMs: 10_000,
  /** ms. Time for a peer's `version`, and again for its `verack`. */
  p2pVersionMs: 4_000,
  /** ms. Time for a peer's `ready`. */
  p2pReadyMs: 8_000,
  /** characters. The reason a peer gives when it ends the link; the rest is cut off. */
  p2pReasonChars: 2_048,
  /** messages. Of a kind that wait for their flow; one more ends the link. */
  p2pRouteMessages: 256,
  /** bytes. That a peer may send on a stream before it is told that they were read: 4 MB in 100 ms. */
  p2pWindowBytes: 4 * MIB,
  /** bytes. The same for a peer that came in: there are more of them. */
  p2pInboundWindowBytes: 1 * MIB,
  /** bytes. Of messages of all inbound peers that have begun and are not whole; beyond it those with the most are cut off. */
  p2pBegunBytes: 128 * MIB,
  /** bytes. The same of all peers that were dialled: a proof, and something beside it. */
  p2pBegunDialledBytes: 320 * MIB,
  /** ms. Between two looks at how much of such messages there is. */
  p2pLookMs: 1_000,
  /** ms. A connection that has no stream for so long is ended. */
  p2pNoStreamMs: 10_000,
  /** connections. Without a stream, of all hosts; for one more the oldest of them ends. */
  p2pStreamless: 64,
  /** connections. Without a stream, of one host; one more is turned away. */
  p2pStreamlessPerHost: 8,
  /** ms. Signs of life on an idle stream. */
  p2pKeepaliveMs: 10_000,
  /** ms. Blocks are counted over so long, to see whether the network has halted. */
  haltSampleMs: 10_000,
  /** samples. That count. */
  haltSamples: 30,
  /** samples. Before which nobody can tell. */
  haltSamplesMin: 6,
  /** addresses. Of peers, kept by a node; beyond it one of those that failed most often goes. */
  p2pAddresses: 4_096,
  /** addresses. Of one neighbourhood (IPv4 /16, IPv6 /32) in the book; beyond it one of them goes that failed most often. */
  p2pAddressesPerBucket: 64,
  /** addresses. Of one host in the book, by port; beyond it one of them goes that failed most often. */
  p2pAddressesPerHost: 4,
  /** addresses. In the book by the word of one host alone, never reached; beyond it one of them goes. */
  p2pAddressesPerGiver: 512,
  /** failures. In a row, after which an address is forgotten. */
  p2pAddressFailures: 3,
  /** hosts. Banned at a time; beyond it the oldest ban ends. */
  p2pBans: 4_096,
  /** ms. A ban lasts this long. */
  p2pBanMs: 86_400_000,
  /** points. A host with as many is banned; a fault that means a ban has all of them. */
  p2pBanPoints: 100,
  /** points. A major fault of a peer; a minor one has one. */
  p2pMajorPoints: 34,
  /** ms. After which a point of a host is forgotten. */
  p2pPointMs: 60_000,
  /** peers. Inbound ones of each merit (age, speed, blocks brought) that never give way to a new one. */
  p2pProtectedPeers: 8,
  /** links. Inbound ones of one host, half-open ones too; one more is turned away. */
  p2pInboundPerHost: 8,
  /** links. Inbound ones that have not shaken hands; one more ends the oldest of the largest neighbourhood among them. */
  p2pHalfOpen: 32,
  /** ms. Time between two rounds of connecting, and first pause before a wanted peer is dialled again. */
  p2pRoundMs: 30_000,
  /** ms. A round of connecting does not begin sooner after the last one, whatever peers do; an operator who asks for a peer does not wait. */
  p2pWakePauseMs: 1_000,
  /** dials. Of addresses from the book in one round. */
  p2pDialsPerRound: 32,
  /** dials. Of one kind, requested or from the book, at the same time. */
  p2pDialsAtOnce: 8,
  /** hosts. That an operator may ask for; one more is refused. */
  p2pRequests: 256,
  /** peers. Outbound ones of one neighbourhood, when no other one has candidates; otherwise there is one. */
  p2pOutboundPerBucket: 2,
  /** ms. The seeders are asked once in this time. */
  p2pSeedPauseMs: 120_000,
  /** names. Of seeders that a node behind a proxy dials through it, in one round without enough peers. */
  p2pSeedersDialled: 2,
  /** ms. A proxy may take so long to reach a peer: such networks are slow. */
  p2pProxyMs: 30_000,
  /** addresses. Taken from one answer of a seeder, of each family. */
  p2pSeedAnswers: 64,
  /** ms. A name server has this long for each of its tries before the next one is asked. */
  p2pSeedTryMs: 2_000,
  /** tries. Of a question to a name server. */
  p2pSeedTries: 2,
  /** times. That pause is doubled while a wanted peer cannot be reached. */
  p2pRetryDoublings: 4,
  /** addresses. Asked of the seeders for each peer that is missing. */
  p2pSeedFactor: 2,
  /** ms. Between two pings of a link. */
  p2pPingMs: 120_000,
  /** ms. A peer that takes longer for an answer is let go. */
  p2pAnswerMs: 120_000,
  /** ms. An address that was not reached for this long is half as likely to be dialled. */
  p2pAddressHalfMs: 604_800_000,
  /** ms. An address that was not reached for this long is forgotten. */
  p2pAddressOldMs: 2_592_000_000,
  /** ms. How often it is written down that a peer is still there. */
  p2pAddressTouchMs: 86_400_000,
  /** addresses. Given to a peer that asks. */
  p2pAddressesGiven: 1_000,
  /** addresses. Taken from a peer that was asked; more ends the link. */
  p2pAddressesTaken: 2_500,
  /** addresses. Looked at before something else gets its turn: some milliseconds. */
  p2pAddressesAtOnce: 128,
  /** ms. Between two questions to a peer for addresses. */
  p2pAddressRefreshMs: 3_600_000,
  /** ms. A peer that asks again within this time gets no addresses. */
  p2pAddressPauseMs: 600_000,
  /** blocks. That peers are known to have, or are asked for; the one used longest ago is forgotten. */
  p2pKnownBlocks: 4_096,
  /** hashes. Of blocks in one request of a peer; more ends the link. */
  p2pRelayBlocksAsked: 64,
  /** messages. Announcements of blocks of one peer that wait; beyond it the oldest are dropped. */
  p2pAnnouncements: 256,
  /** generations. Of missing ancestors that are fetched one by one; what is further away is caught up with. */
  p2pOrphanGenerations: 5,
  /** blocks. Missing ancestors of one announced block that are fetched; beyond it they are caught up with. */
  p2pOrphanFetches: 64,
  /** ms. After which another peer may be asked for the same block. */
  p2pRequestRetryMs: 1_000,
  /** ms. Pause before a block is handed in again that found no room. */
  p2pBusyMs: 100,
  /** transactions. That peers are known to have, or are asked for; the one used longest ago is forgotten. */
  p2pKnownTransactions: 8_192,
  /** ms. How long a peer's transaction waits for room to be judged; then it is left to other peers. */
  p2pTransactionWaitMs: 60_000,
  /** ms. Between two looks for waiting transactions that a peer is not known to have; it is told of them then. */
  p2pAnnounceAgainMs: 60_000,
  /** messages. Announcements of transactions of one peer that wait; the oldest give way to further ones. */
  p2pTransactionAnnouncements: 64,
  /** ids. Of transactions in one announcement or request of a peer; more ends the link. */
  p2pTransactionIds: 131_072,
  /** ids. Of transactions asked for at a time. */
  p2pTransactionsAsked: 128,
  /** ids. Of transactions that one peer may announce in a second; what is above is not looked at. */
  p2pTransactionIdsPerSecond: 512,
  /** ids. Of transactions that one peer may announce at once after a pause. */
  p2pTransactionIdsBurst: 16_384,
  /** ms. Mean of the random time after which a peer that was dialled is told of a transaction. */
  p2pSpreadOutboundMs: 2_000,
  /** ms. The same for all peers that dialled us, who are told together: many connections learn no more than one. */
  p2pSpreadInboundMs: 5_000,
  /** means. A random time is never longer than so many of its mean. */
  p2pRandomMeans: 5,
  /** ids. Of transactions that a peer is told of at once; the next ones after a random time again. */
  p2pSpreadIds: 4_096,
  /** ms. Mean length of the time for which one peer gets what is on its stem; each is half to one and a half of it. */
  p2pStemEpochMs: 600_000,
  /** percent. How often a hop ends a stem and spreads the transaction. */
  p2pStemEndPercent: 20,
  /** ms. A transaction that was put on its stem and has not been heard of for so long, and a random time more, is spread. */
  p2pStemSafeMs: 10_000,
  /** ms. Mean of that random time. */
  p2pStemSafeMeanMs: 10_000,
  /** messages. On their stem, to one peer in a second; what is above waits for its fail-safe. Twice as many are taken from one. */
  p2pStemPerSecond: 16,
  /** messages. On their stem, to one peer at once after a pause. Twice as many are taken from one. */
  p2pStemBurst: 256,
  /** messages. On their stem, of one peer, that wait to be judged; beyond it the oldest are dropped. */
  p2pStemWaiting: 256,
  /** transactions. Of the pool on disk, the newest, that are put on a stem anew at start; the others are spread. */
  p2pStemRestored: 1_024,
  /** calls. Questions of peers that wait for the serving thread; one more is refused. */
  p2pServeQuestions: 256,
  /** questions. About blocks and headers, in the serving thread at a time: one is answered while the next is at hand. */
  p2pServeTurns: 2,
  /** questions. About the pruning point, in the serving thread at a time: they wait there until its export is made. */
  p2pServePointTurns: 8,
  /** bytes a second. Served to one peer; it waits for more. */
  p2pServedBytesPerSecond: 32 * MIB,
  /** bytes. Served to one peer at once after a pause. */
  p2pServedBytesBurst: 512 * MIB,
  /** bytes. Of answers to all peers that wait for room in their links; nothing more is read for anybody beyond it. */
  p2pServedHeldBytes: 256 * MIB,
  /** bytes. Of those to one host: more is read for it when it takes some. */
  p2pServedHostBytes: 32 * MIB,
  /** bytes. Up to which somebody to whom nothing is held gets an answer all the same. */
  p2pServedHeldMaxBytes: 512 * MIB,
  /** ms. A peer that is sent a stream must ask for more of it within this time. */
  p2pServeNextMs: 600_000,
  /** exports. Proofs of the pruning point, which a start from there begins with: so many for one peer at once after a pause. */
  p2pServedExports: 16,
  /** ms. After which a peer may have another one of them. What comes behind the proof is paid for in bytes. */
  p2pServedExportMs: 120_000,
  /** peers. Whose use of these is remembered; one that is forgotten begins with a full burst. */
  p2pServedPeers: 4_096,
  /** headers. In a page that is served. */
  p2pServedHeaders: 1_024,
  /** headers. Served of what one block has in its past and another has not: some mergesets of the main network. */
  p2pServedAntipast: 992,
  /** hashes. Of blocks or bodies in one request of a syncing peer; more ends the link. */
  p2pBlocksAsked: 99,
  /** blocks. Read from the store for one question; then somebody else's turn comes. */
  p2pServedBlocks: 16,
  /** entries. Of trusted data that are sent before the peer asks for more. */
  p2pEntriesWindow: 99,
  /** headers. Of trusted data read for one question. */
  p2pServedEntries: 256,
  /** chunks. Of lanes or nullifiers that are sent before the peer asks for more. */
  p2pChunksWindow: 10,
  /** blocks. Of the chain looked at in one step of making an export; then questions are answered. */
  p2pExportStepBlocks: 16,
  /** ms. An export that nobody used for so long is given up with its look at the store. */
  p2pExportIdleMs: 60_000,
  /** ms. An export of this age is made anew at the next question: its look at the store pins what was deleted since. */
  p2pExportAgeMs: 600_000,
  /** bytes. Messages of an export that are kept ready; larger ones are made for each peer. */
  p2pExportCacheBytes: 64 * MIB,
  /** records. Of history in one chunk; a request for more gets this many. */
  p2pServedRecords: 2_000,
  /** DAA scores. A block this far above the own chain is not fetched ancestor by ancestor: the chain is caught up with. */
  p2pFarDaa: 64,
  /** peers. How many a node looks for by itself unless told otherwise. */
  p2pOutbound: 8,
  /** peers. How many it may be told to look for. */
  p2pOutboundMax: 256,
  /** peers. How many are taken in unless told otherwise. */
  p2pInbound: 128,
  /** peers. How many may be taken in. */
  p2pInboundMax: 4_096,
  /** bytes. What this program calls itself; a longer name is cut. */
  p2pAgentBytes: 256,

  /** hashes. A peer's chain locator: steps that double reach further than any chain. */
  syncLocatorHashes: 64,
  /** attempts. How often a peer's chain may move while it is asked for. */
  syncLocatorRestarts: 32,
  /** ms. Time for a part of a locator: a peer that made the first one has it at hand. */
  syncZoomMs: 10_000,
  /** ms. Without a page or a body for this long a peer stalls; its place goes to another one. */
  syncStallMs: 20_000,
  /** ms. A peer may take this long to make the proof of its pruning point. */
  syncProofMs: 600_000,
  /** ms. The same for a peer that is not caught up with: a proof that is held against another one is no reason to wait long. */
  syncRivalProofMs: 120_000,
  /** peers. Of those dialled here, whose proofs are compared before a store begins at the pruning point of one of them. */
  syncRivals: 3,
  /** ms. How long a first sync waits for as many peers to be there before it takes what it has. */
  syncRivalWaitMs: 60_000,
  /** ms. How often it looks for them meanwhile. */
  syncRivalLookMs: 1_000,
  /** ms. How often a node whose store began at a pruning point looks whether the heaviest chain is refused here. */
  syncDoubtLookMs: 60_000,
  /** ms. A node that doubts its beginning begins anew at most that often. */
  syncDoubtPauseMs: 3_600_000,
  /** headers. A peer's list of pruning points: one for each finality depth since genesis, a century at ten blocks a second. */
  syncPoints: 100_000,
  /** chunks. Of lanes or nullifiers that a peer sends before it waits to be asked to go on (specification network 1.8). */
  syncChunks: 10,
  /** lanes. At a pruning point: 50 a block of a finality depth at ten a second are 21,600,000; their root is known at the last. */
  syncLanes: 1 << 25,
  /** attempts. How often the block that binds a state may change while the state is on its way. */
  syncBindings: 5,
  /** ms. A chain that begins anew must be this much younger than the own one (specification network 1.8 D). */
  syncYoungerMs: 600_000,
  /** ms. A conversation about headers or a pruning point may take this long, and a second more for each `syncSlowItems` of it. */
  syncTalkMs: 60_000,
  /** items a second. Headers, blocks or rows; a peer that gives them more slowly is let go. */
  syncSlowItems: 50,
  /** ms. A peer whose chain turned out to be no better is not caught up with again for so long. */
  syncIgnoreMs: 600_000,
  /** points. The newest of a list, which none after them names. */
  syncNewestPoints: 16,
  /** points. A peer whose pruning point is one of our last ones is a little behind, not on another chain. */
  syncOwnPoints: 4,
  /** blocks. Looked at in one question for missing bodies. */
  syncPlanBlocks: 512,
  /** blocks. Bodies that one peer is asked for at once. */
  syncBatchBlocks: 99,
  /** ms. A peer has this long for such a batch, and a second more for each `syncSlowBytes` of it: all others wait for the lowest. */
  syncBatchMs: 120_000,
  /** bytes a second. A peer that gives bodies more slowly is let go. */
  syncSlowBytes: 32 * KIB,
  /** batches. Bodies wanted and asked for ahead of the next one that goes in. */
  syncBatches: 32,
  /** bytes. Bodies that wait for those before them; nothing more is asked for beyond it. */
  syncBodyBytes: 64 * MIB,
  /** blocks. Handed to the engine and not answered: two groups that share a commit. */
  syncBlocksInserting: 400,
  /** peers. Asked for bodies at the same time. */
  syncSources: 8,
  /** blocks. Records of history asked for at once; a peer gives fewer where they are large. */
  syncHistoryBlocks: 2_000,
  /** ms. Between two looks whether somebody has history to give. */
  syncHistoryPauseMs: 10_000,
  /** ms. History that nobody goes on with is fetched anew after so long; each time twice as long. */
  syncHistoryStuckMs: 3_600_000,
  /** ms. At most so long. */
  syncHistoryStuckMaxMs: 86_400_000,
  /** ms. Between two attempts to catch up. */
  syncPauseMs: 1_000,
  /** doublings. Of that pause while the fault is this node's own. */
  syncPauseDoublings: 6,
  /** ms. The operator is told this often how far it is. */
  syncReportMs: 5_000,
  /** ms. Between two samples that the speed is taken from. */
  syncSampleMs: 500,
  /** samples. Those of the last while. */
  syncSamples: 20,

  /** nodes. That a seeder knows; beyond it one of those that never answered goes. */
  seederNodes: 32_768,
  /** nodes. Of one neighbourhood that a seeder knows. */
  seederNodesPerBucket: 512,
  /** nodes. Known by the word of one host alone, never reached. */
  seederNodesPerGiver: 2_048,
  /** nodes. That a seeder tries at the same time. */
  seederTriesAtOnce: 32,
  /** nodes. That are chosen at a time to be tried; at most half of them never answered. */
  seederTriesPerRound: 512,
  /** ms. A seeder that has nobody to try looks again after this time. */
  seederIdleMs: 5_000,
  /** ms. For the whole visit of a node, so that those who say nothing keep nobody waiting for long. */
  seederProbeMs: 10_000,
  /** ms. Between two tries of a node that answers. */
  seederRetryMs: 900_000,
  /** times. That time is doubled while a node does not answer. */
  seederRetryDoublings: 6,
  /** failures. In a row, after which a node that never answered is forgotten. */
  seederFailures: 10,
  /** ms. A node that has not answered for as long is forgotten. */
  seederForgetMs: 1_209_600_000,
  /** ms. A node that has not answered for as long is not named. */
  seederFreshMs: 86_400_000,
  /** ms. A seeder's nodes are written to disk this often. */
  seederSaveMs: 300_000,
  /** bytes. Of the file of a seeder's nodes; a larger one is refused. */
  seederFileBytes: 64 * MIB,
  /** ms. The list of nodes to name is made anew this often. */
  seederListMs: 10_000,

  /** addresses. In one answer of a seeder. */
  dnsAnswers: 14,
  /** seconds. Others may keep an answer of a seeder this long. */
  dnsTtlSeconds: 60,
  /** seconds. Others may keep the name of a seeder's own server this long. */
  dnsServerTtlSeconds: 3_600,
  /** bytes. A question to a seeder; a larger one is not answered. */
  dnsQueryBytes: 512,
  /** records. Beside the question itself, such as an extension and a signature; a message with more is refused unread. */
  dnsQueryRecords: 2,
  /** bytes. An answer over UDP. */
  dnsUdpBytes: 512,
  /** times. The length of the question that an answer over UDP has at most: its sender may be forged. */
  dnsAmplification: 12,
  /** questions. Of one host in a second over UDP, and as many over TCP; what is above is not answered. */
  dnsQueriesPerSecond: 20,
  /** questions. Of one host at once after a pause. */
  dnsQueriesBurst: 100,
  /** questions. Of all hosts in a second over UDP, whose senders may be forged, and as many over TCP. */
  dnsQueriesPerSecondAll: 2_000,
  /** questions. Of all hosts at once after a pause. */
  dnsQueriesBurstAll: 4_000,
  /** hosts. Whose rates are remembered; the one heard of longest ago begins anew. */
  dnsSources: 16_384,
  /** connections. Open to a seeder; one more takes the place of the oldest. */
  dnsConnections: 64,
  /** connections. Of one host to a seeder; one more is refused. */
  dnsConnectionsPerHost: 4,
  /** ms. A connection to a seeder is closed after this time. */
  dnsConnectionMs: 5_000,
} as const;
