/**
 * Limits of peer connections, relay and sync: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const P2P_LIMITS = {
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
  /** bytes. A peer's page of the anchor log: 2,048 entries have 148,781; larger ends the link. */
  p2pLogPageBytes: 160 * KIB,
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
  /** bytes. Of partially received messages of all inbound peers; beyond it those with the most are cut off. */
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
  syncConversationMs: 60_000,
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
  /** ms. Between two looks whether somebody has what is lacking of the anchor log. */
  syncLogPauseMs: 10_000,
  /** pages. Of the anchor log asked of one peer before another has its turn: who gives little holds nobody up for long. */
  syncLogPages: 64,
  /** ms. A peer that had no page of the anchor log is asked again after so long. */
  syncLogAgainMs: 600_000,
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
  /** peers. How many a node looks for by itself unless told otherwise. */
  p2pOutbound: 8,
  /** peers. How many it may be told to look for. */
  p2pOutboundMax: 256,
  /** peers. How many are taken in unless told otherwise. */
  p2pInbound: 128,
  /** peers. How many may be taken in. */
  p2pInboundMax: 4_096,
} as const;
