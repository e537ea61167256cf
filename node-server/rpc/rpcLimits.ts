/** Limits of the HTTP and gRPC servers: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const RPC_LIMITS = {
  /** bytes. A raw transaction posted to the node: 124,744 bytes of bundle and its envelope; larger is refused. */
  rawTransactionBytes: 125_000,
  /** blocks. Records in a page when the caller names no number. */
  recordPageDefault: 500,
  /** hashes. Locator of a wallet that looks for the common block; more is refused. */
  locateHashesMax: 64,
  /** rows. Anchors in one answer; a larger request gets this many. */
  anchorRowsMax: 2_000,
  /** bytes. Evidence that is kept for the next who asks for the same: some hundred runs, or ten thousand openings. */
  evidenceKeptBytes: 16 * MIB,
  /** blue scores. How far below the sink the state lies that a tip names for evidence when the caller names no depth. */
  evidenceTipDepth: 600n,
  /** frames. Live blocks a browser may leave unacknowledged before the node pauses its stream. */
  liveCreditBlocks: 256,
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
  /** frames. Of blocks behind blocks, kept for all live connections until the chain moves; the one asked for longest ago is made again. */
  liveRenderings: 64,
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
  /** calls a minute. What one host may read of the public REST interface while it is open to everybody: an open explorer page asks for some 200. More is refused with the time to wait. */
  restReadsPerMinute: 900,
  /** ms. For a page of the explorer: its questions may take what rows take, and as much again for the turns of others before it is rendered. Later it is refused. */
  explorerPageMs: 20_000,
  /** seconds. After which a page that was refused for its time may be asked for again. */
  explorerRetryS: 10,
  /** calls a minute. How often one host may search there for many transactions at once. */
  restSearchesPerMinute: 20,
  /** bytes. A body of a call there: 64 ids as JSON have 4,400; larger is refused. */
  restBodyBytes: 8_192,
  /** blocks. Whose transactions, as lists show them, are kept; those of the block listed longest ago are read again. */
  restListedBlocks: 1_024,
  /** blocks. Chain blocks above a score whose mergesets are searched for blocks with this score where no index knows them; one merged later is left out. */
  restScoreChainBlocks: 32,
  /** bytes. Raw size of blocks or transactions in one gRPC answer; the rest is left for the next call. */
  rpcResponseBytes: 16 * MIB,
  /** bytes. Waiting payments in one gRPC answer, without their proofs; the oldest are left out. */
  poolPageBytes: 4 * MIB,
  /** bytes. A gRPC message from a client, unpacked: a full block in hexadecimal; larger ends the stream. */
  grpcRequestBytes: 16 * MIB,
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
  /** bytes. Notifications kept for gRPC clients that have yet to be told; the one asked for longest ago is rendered again. */
  grpcRenderedBytes: 16 * MIB,
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
  /** ms. A gRPC client that takes no message for so long, and a second more for each `grpcSlowBytes`, is cut off. */
  grpcUnreadMs: 120_000,
  /** bytes a second. A gRPC client that reads more slowly is cut off. */
  grpcSlowBytes: 32 * KIB,
  /** answers. Of calls for pages of blocks, records or payments, that are made for gRPC clients at the same time, one for each host. */
  grpcLargeTurns: 2,
  /** ms. A gRPC stream that the node ends is reset when the client has not read to its end by then. */
  grpcFarewellMs: 5_000,
  /** ms. A silent gRPC client is asked for a sign of life, and given up when none comes for as long again. */
  grpcKeepaliveMs: 60_000,
} as const;
