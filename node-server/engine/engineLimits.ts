/**
 * Limits of the engine and its threads (queues, rates, batches, timeouts): a unit, then what each bounds and what happens
 * beyond it. `LIMITS.md` shows them.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const ENGINE_LIMITS = {
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
  /** transactions. Kept decoded by the engine for the next check and for templates; the one used longest ago is decoded again. */
  heldTransactions: 4_096,
  /** bytes. Raw transactions among them, of which the engine keeps some three times as much. */
  heldTransactionBytes: 16 * MIB,
  /** blocks. Blocks resolved in one step of the engine, so that a question waits about 50 ms at most. */
  resolveStepBlocks: 4,
  /** blocks. Bulk loading: blocks that share one commit. */
  groupCommitBlocks: 200,
  /** ms. Bulk loading: age of the oldest uncommitted block at which the group is committed. */
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
  /** blocks. Blocks kept while their parents are unknown; the oldest is dropped. */
  orphanBlocks: 600,
  /** bytes. Blocks kept while their parents are unknown, together; the oldest is dropped. */
  orphanBytes: 64 * MIB,
  /** times. That a thread ends by a store that lacks what it names or cannot be read, since the start; the node then stops. */
  storeFaultsMost: 4,
  /** restarts. Of the engine for want of memory or by a store that fails, without a block taken between them; then the node stops. */
  memoryRestarts: 5,
  /** threads. Verifiers unless the user asks for another number; each holds its own tables. */
  verifyWorkersMax: 4,
  /** jobs. Proofs that a verifier judges in one batch; the rest is judged next. */
  verifyBatchJobs: 64,
  /** bytes. Raw transactions of one such batch: a full block has fewer. */
  verifyBatchBytes: MIB,
  /** jobs. Of one source in a batch of waiting transactions: false proofs hold up all that are judged with them. */
  verifyBatchSourceJobs: 8,
  /** jobs. In a batch of sources none of whose proofs has held yet; false ones are found in about half a second. */
  verifyBatchStrangers: 8,
  /** jobs. Proofs of blocks that make a batch while a chain is caught up with. */
  verifyBatchDelayJobs: 16,
  /** ms. Such a proof waits this long for others at most. */
  verifyBatchDelayMs: 250,
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
  /** ms. Pause before a proof of a block that could not be judged is asked for again. */
  verdictRetryMs: 1_000,
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
} as const;
