/** Limits of the wallet daemon: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const WALLETD_LIMITS = {
  /** keys. Viewing keys that one scan tries together; more wallets are several sets. A key takes a millisecond, and its set is prepared anew whenever a wallet comes or goes. */
  scanKeysPerSet: 32,
  /** lanes. Most scans beside the one at the tip that a daemon uses of its own accord: one a core, but one. */
  lanesMost: 8,
  /** wallets. Opened at once unless `--load-wallets` says otherwise; the others wait. */
  openingUsual: 4,
  /** bytes. Free memory for each wallet that is kept in memory unless `--max-resident-wallets` says otherwise, as in the reference. Small wallets take far less. */
  residentShareBytes: 192 * MIB,
  /** wallets. Fewest that are kept by that measure, however little memory is free. */
  residentLeast: 4,
  /** wallets. Most that are kept by that measure; beyond it the one asked for longest ago goes. */
  residentMost: 256,
  /** wallets. Kept where the system does not tell how much memory is free. */
  residentUnknown: 32,
  /** wallets. Being opened or waiting for it, beyond which a status alone opens no further one: whoever waits for a balance waits behind all of them. */
  openingsWaiting: 256,
  /** ms. A wallet that nobody asks for is dropped after so long unless `--idle-evict` says otherwise; its file stays. */
  idleDropMs: 1_800_000n,
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
  /** ms. Between two looks which wallets are due to be written or dropped. */
  upkeepMs: 1_000,
  /** ms. A node that has not answered for so long counts as away. */
  nodeAwayMs: 30_000n,
  /** addresses. Kept as text: of wallets, for while they are not open, and of the indices that a wallet's history names. */
  knownAddresses: 65_536,
  /** ms. Shortest time between two snapshots of one wallet in which something happened. */
  snapshotEveryMs: 5_000n,
  /** times. How much longer than it takes to make one snapshot the pause before the next is: a large wallet does not hold up others. */
  snapshotShare: 20n,
  /** snapshots. Whose places two commits write together; the states of so many wallets are held as they were at the first. */
  snapshotsAtOnce: 32,
  /** ms. Longest that a call of the operator waits for a warm tree or wallet; he asks again. */
  warmMs: 90_000,
  /** ms. Pause between two looks whether they are warm. */
  warmLookMs: 200,
  /** callers. Waiting for a warm tree or wallet together; one more is answered at once. */
  warmWaiting: 16,
  /** share. The part of the wallets in memory, one in so many, that may be kept there by callers who wait for them to be warm; one more is answered at once. */
  warmShare: 4,
  // Spending.
  /** payments. Settled ones that a wallet holds in memory, the newest; older ones are put away in the store, where they are found by their id. */
  spendSettledKept: 1_000,
  /** jobs. Calls that spend, of all wallets, which wait or are at work; one more is refused before anything of it is stored. */
  spendJobs: 4_096,
  /** jobs. Rescans and prepared payments of all wallets that are jobs; one more is refused before anything of it is stored. */
  lastingJobs: 1_024,
  /** proofs. Wait for a prover, of all wallets; one more is refused. No more than there are jobs, each of which asks for one at a time. */
  spendProofsWaiting: 4_352,
  /** times. The fee of the largest transaction that a caller may name as the least of each without a `max_fee`; more is refused as a mistake. The size alone makes the fee, no node does. */
  spendFeeFactor: 2n,
  /** provers. Proofs made at the same time unless `--max-concurrent-proves` says otherwise; a machine with fewer cores makes fewer. */
  spendProofsAtOnce: 2,
  /** ms. Pause between two times that old answers and old jobs are dropped. */
  spendExpireMs: 60_000,
  /** ms. Pause before a resumed job looks again whether its wallet may pay. */
  spendRetryMs: 1_000,
  /** ms. Pause before a job goes on whose wallet a start could not open: each try reads and unseals its files. */
  spendReopenMs: 30_000,
  /** ms. Longest such pause; each is twice the one before. */
  spendReopenLongestMs: 600_000,
  /** ms. Pause between two looks for payments that are to be handed to the node again. */
  rebroadcastEveryMs: 1_000,
  /** notes. A custodial wallet with more is merged in the background unless `--auto-consolidate` says otherwise. */
  consolidateAbove: 500,
  /** ms. Pause after a merge before the same wallet is merged again. */
  consolidateEveryMs: 60_000n,
  /** ms. Pause before a wallet is looked at again in which nothing could be merged. */
  consolidateIdleMs: 120_000n,
  /** ms. Pause between two looks for a wallet to merge. */
  consolidateLookMs: 5_000,
  // Store.
  /** chunks. Of 1,024 leaves, whose inner nodes one commit stores: 2 MiB, some milliseconds. */
  treeChunksAtOnce: 64,
  /** blocks. Below the tip stands the block whose state a receipt shows: the same for every payment, ten minutes deep at a block a second; a younger payment has no receipt yet. */
  receiptDepth: 600n,
  /** chunks. Of 1,024 leaves, in which the note of a payment is looked for at once: 2 MiB, some milliseconds; then other calls have their turn. */
  receiptChunksAtOnce: 64,
  /** bytes. Evidence of the last receipts that is kept for the next ones; the oldest goes. */
  receiptEvidenceBytes: 4 * MIB,
  /** chunks. Whose inner nodes are read at once while chunks without any are looked for: 8 MiB, some milliseconds. */
  treeChunkLooks: 256,
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
  // Feed.
  /** ms. Longest that a reader of a feed waits for an entry; he asks again. A proxy in between gives up later. */
  feedWaitMs: 60_000,
  /** readers. Waiting for entries of all feeds together; one more is answered at once. Each holds a connection. */
  feedWaiting: 4_096,
  /** events. Waiting payments that the feed of one wallet tells of at once; beyond it `seen` is left out, which costs no credit. */
  poolSeenBurst: 1_000,
  /** events a second. How fast that comes back. A node can invent waiting payments without end. */
  poolSeenPerSecond: 1,
  /** entries. How far behind the newest delivery of a wallet those that are done are kept, dead letters among them; older ones are forgotten, the feed's entries never. */
  webhooksKept: 10_000n,
  /** deliveries. Counted one by one for the metrics, of each state; beyond it they tell this number. */
  webhooksCounted: 100_000,
  /** wallets. Opened at once for the webhook while nobody asks for them. */
  watchAtOnce: 16,
  /** ms. How long such a wallet is kept open for what it has missed; the next round goes on with it. */
  watchWaitMs: 60_000,
  /** ms. Pause between two rounds over the wallets that are not open, unless the last one took longer. A deposit is told that late. */
  watchRestMs: 30_000,
  // Scoped tokens.
  /** tokens. Scoped tokens of one wallet that open something; one more is refused until one is revoked or has expired. */
  scopedTokens: 100,
  /** tokens. Revoked and expired tokens of one wallet that its list still shows; a new token drops those closed before them. */
  scopedTokensClosed: 100,
  /** characters. The label of a scoped token; a longer one is refused. */
  scopedTokenLabelChars: 64,
  /** addresses. Payees that a scoped token may name; one more is refused. */
  scopedTokenPayees: 1_000,
  /** ms. How exactly the last use of a scoped token is kept: no call waits for a disk because of it. */
  scopedTokenUseMs: 60_000n,
  /** jobs. Of one wallet that wait for its owner's approval; one more is refused. */
  approvalsWaiting: 100,
  /** ms. How long a job waits for approval, after which it is cancelled: three days. */
  approvalMs: 259_200_000n,
  // Prepared payments.
  /** ms. How long a prepare waits for a prover; then it is refused, and holds no notes. */
  prepareQueueMs: 180_000,
  /** ms. How long a device may take to sign a prepared payment: ten minutes; then its notes are free again. */
  preparedMs: 600_000,
  /** payments. Prepared for one wallet and not signed; with one more the oldest is given up, and its notes are free. */
  preparedPerWallet: 8,
  /** payments. Prepared for all wallets and not signed: each holds its proof in the prover, half a megabyte; more are refused. */
  preparedInAll: 128,
  /** characters. A wallet token, which becomes the name of a file; longer is refused. */
  tokenChars: 128,
  /** bytes. A wallet file that is read. One with all the addresses that it may list takes a quarter of it. */
  walletFileBytes: 262_144,
  /** addresses. Listed in a wallet file as handed out; one more is refused. Payments to any address are found without the list. */
  walletFileAddresses: 4_096,
  /** bytes. A `.scan` file that is read or written: some four million notes. It is held in memory twice while it is sealed. */
  scanFileBytes: 536_870_912,
  /** files. Earlier files kept beside a wallet or its scan, none of which is ever overwritten; one more is refused. */
  walletBackups: 100,
  /** files. Scans of one wallet that rescans of the daemon itself keep, or that are put aside while `walletBackups` lie there, in names of their own; beyond it the oldest of them goes, so that nobody is held up. */
  walletRotated: 4,
  /** KiB. Memory of the key derivation for new files, the default of the Argon2 library: a guess costs an attacker as much. */
  secretKdfMemoryKib: 19_456,
  /** passes. Of the key derivation for new files. */
  secretKdfPasses: 2,
  /** KiB. Least memory that the header of a file may name: weaker is never written. */
  secretKdfMemoryMinKib: 19_456,
  /** KiB. Most memory that the header of a file may name: the core never gives it back. */
  secretKdfMemoryMaxKib: 65_536,
  /** passes. Most that the header of a file may name: with the most memory half a second of the main thread. */
  secretKdfPassesMax: 8,
  /** keys. Derived and kept, one for each salt; wallets of one folder share one. The one used longest ago is wiped. */
  secretKeysKept: 16,
  /** files. Sealed wallets that a secret is tried on when a folder lost its own header: each costs a derivation. */
  secretTrials: 8,
  /** bytes. A file that holds the wallet secret; longer is refused. */
  secretFileBytes: 4_096,
  /** characters. Shortest passphrase of a backup, as in the reference. */
  backupPassphraseChars: 8,
  // Offline commands.
  /** positions. Of stranded notes, listed for one wallet; their number and value count all. */
  diagnosePositions: 50,
  /** bytes. With less left on the disk of the wallet folder `svc walletd doctor` warns. */
  doctorRoomBytes: 1_073_741_824,
  /** flaws. Of the database, shown by `svc walletd doctor`; the rest is counted. */
  doctorFlaws: 20,
  /** characters. A backup text; longer is refused before it is parsed. */
  backupChars: 4_096,
  /** bytes. Body of a request: a batch of 20,000 payees; larger is refused before it is read whole. */
  httpBodyBytes: 2 * MIB,
  /** bytes. Bodies that are being read or worked on, all together; a request beyond is told to try again later. */
  httpBodiesBytes: 64 * MIB,
  /** requests. Worked on at the same time, payments that wait for their proof among them; more are told to try again later. */
  httpCallsAtOnce: 1_024,
  /** characters. Shortest token of a wallet where others can reach the daemon: 16 random bytes in hexadecimal; a shorter one is refused. */
  httpTokenChars: 32,
  /** ms. A request must have arrived whole within this time. */
  httpRequestMs: 30_000,
  /** ms. The head of a request must have arrived within this time. */
  httpHeadMs: 10_000,
  /** ms. A TLS handshake must be over within this time; the connection has its place among those of its host meanwhile. */
  httpHandshakeMs: 10_000,
  /** ms. How often late heads and requests are looked for. */
  httpLookMs: 2_000,
  /** ms. A connection on which nothing has moved for so long is closed: a batch of payments is answered after a quarter of an hour. */
  httpIdleMs: 960_000,
  /** bytes. Request line and headers; longer is refused. */
  httpHeadBytes: 16 * KIB,
  /** headers. Headers of a request that are looked at; further ones are passed over. */
  httpHeaders: 64,
  /** ms. Requests in progress may end within this time when the daemon stops; then their connections are closed. */
  httpDrainMs: 5_000,
  /** connections. Open at once; the host with the most gives one up for a new one. */
  httpConnections: 2_048,
  /** connections. Of one host: a server of an exchange is one; one more is closed. A trusted proxy has no such share. */
  httpConnectionsPerHost: 1_536,
  /** requests a second. What one host may ask. */
  httpRequestsPerSecond: 500,
  /** requests. What one host may ask at once after a pause. */
  httpRequestsBurst: 4_000,
  /** requests a second. What all hosts together may ask. */
  httpRequestsPerSecondAll: 2_000,
  /** requests. What all hosts together may ask at once after a pause. */
  httpRequestsBurstAll: 8_000,
  /** hosts. Whose rates are remembered; the one that asked longest ago is forgotten. */
  httpSources: 16_384,
  /** bytes. Answers that one host has not taken yet; with more it is answered nothing new. */
  httpUnsentPerHost: 64 * MIB,
  /** bytes. Answers that all hosts together have not taken yet; beyond it the host with the most loses its connections. */
  httpUnsentBytes: 256 * MIB,
} as const;
