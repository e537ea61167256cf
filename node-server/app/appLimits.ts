/**
 * Limits of starting, stopping, watching the disk and of options: a unit, then what each bounds and what happens beyond it. `LIMITS.md`
 * shows them.
 */

const MIB = 1024 * 1024;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const APP_LIMITS = {
  /** ms. How often a node looks how much of that space its databases have filled. */
  roomLookMs: 600_000,
  /** percent. Of that space; beyond it the operator is warned. */
  roomWarnPercent: 75,
  /** percent. A database that grew by this much since the last warning is warned of again. */
  roomWarnStep: 5,
  /** bytes. A node that has less left on the disk of its data stops: more than the reserve, so that it stops at rest. */
  diskStopBytes: 128 * MIB,
  /** bytes. With less left a node does not start: it would soon stop again. */
  diskStartBytes: 192 * MIB,
  /** bytes. With less left the operator is warned: about a day of full blocks before the end. */
  diskWarnBytes: 2048 * MIB,
  /** ms. How often a node looks how much room is left on the disk. Between two looks each commit does. */
  diskLookMs: 3_000,
  /** ms. Longest pause between two blocks that a person may ask the local miner for: an hour. */
  blockIntervalMaxMs: 3_600_000,
  /** days. Most that a person may have the index keep: a hundred years. */
  indexDaysMax: 36_500,
  /** ms. A signal this much later than the first ends the program at once. */
  secondSignalMs: 1_000,
  /** ms. How often a program that npx started looks whether the shell that waits for it is there: npx hands a signal to that shell alone. */
  parentLookMs: 500,
  /** ms. How long a program may take to stop after a fault that nothing caught; then it is ended. */
  faultStopMs: 30_000,
  /** descriptors. For the node's own files, threads and timers: 52 at rest, some for each thread, the rest for segment files. */
  descriptorsOwn: 256,
  /** connections. Each kind of server that is wanted may take as many, or the node does not start. */
  connectionsLeast: 16,
  /** ms. The line of progress of `svc verify` is written anew this often. */
  progressLineMs: 500,
  /** bytes. A file of a payment proof or of the payment, as hex; larger is not read. */
  disclosureFileBytes: 262_144,
  /** bytes. An answer of the node that `svc verify-disclosure` asks: a block, or a page of its chain; larger ends the stream. */
  disclosureAnswerBytes: 67_108_864,
  /** bytes. A file of a receipt, of its text, or of what it is made of; larger is not read. */
  receiptFileBytes: 262_144,
  /** blocks. Of records that are asked for at once to find a note. */
  receiptPageBlocks: 500,
  /** ms. Blocks are counted over so long, to see whether the network has halted. */
  haltSampleMs: 10_000,
  /** samples. That count. */
  haltSamples: 30,
  /** samples. Before which nobody can tell. */
  haltSamplesMin: 6,
  // The wallet daemon's options.
  /** minutes. Longest `--idle-timeout`: a year. */
  walletdIdleMinutesMax: 525_600,
  /** notes. Highest ceiling of `--auto-consolidate`; a wallet with more has trouble to open. */
  walletdNotesMax: 100_000,
  /** proofs. Most at once; each holds some 2 GB. */
  walletdProvesMax: 16,
  /** wallets. Most that catch up at once. */
  walletdSyncMax: 8,
  /** wallets. Most that are loaded at once. */
  walletdLoadsMax: 16,
  /** seconds. Longest `--idle-evict`: a week. */
  walletdEvictSecondsMax: 604_800,
  /** wallets. Most that may be kept in memory. */
  walletdResidentMax: 100_000,
} as const;
