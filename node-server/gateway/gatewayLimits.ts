/** Limits of the gateway: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const GATEWAY_LIMITS = {
  /** keys. Viewing keys that are scanned together: what an action costs apart from its keys is paid once for all of them. */
  keysPerSet: 256,
  /** merchants. Looked at in one go for viewing keys that are new; what else is to be done waits so long, a few milliseconds. */
  keysAtOnce: 64,
  /** addresses. Derived and written down at once for a viewing key, before an invoice has one of them. */
  addressRun: 1_024,
  /** bytes. The file of prices; a larger one is not read. */
  ratesFileBytes: 65_536,
  /** bytes. The file of a viewing key; a larger one is none. */
  keyFileBytes: 4_096,
  /** addresses. Derived in one go, a sixth of a millisecond each: what else is to be done waits so long. A run is a multiple of it. */
  addressesAtOnce: 64,
  /** times. An invoice without an address waits for the next part of a run so often; then its caller is to try again. */
  addressWaits: 8,
  /** addresses. A viewing key with fewer left gets another run; without any an invoice is refused until there are. */
  addressLow: 512,
  /** steps. Changes of the database that wait to be written together; a caller beyond is told that the gateway is busy. */
  commitSteps: 1_024,
  /** blocks. Payments are remembered by the chain blocks that accept them down to this depth, to be taken back; no node follows a reorganisation so deep. */
  foundKept: 10_000n,
  /** chain blocks. Deepest state that a scan which was away asks to be proved first; then those half as deep, down to its tip. A power of two. */
  proofRungDepth: 512n,
  /** chain blocks. Longest run of headers between two states (docs/light-client.md); what lies further apart is not linked, and work is counted anew. */
  proofRunBlocks: 7_200n,
  /** blocks. Of a header's own work, in the row of headers that ends with it, from which it moves the floor: four minutes of one block a second. */
  proofFloorBlocks: 250n,
  /** states. Proved ones that are remembered, with the work above each; the lowest go. */
  proofSteps: 256,
  /** parts. Of two proved states that lie closer than this part of their depth, one is enough. */
  proofStepParts: 16n,
  /** times. Questions for evidence in a row without an answer, after which the gateway says so: a block that left the chain just now has none. */
  proofTries: 3,
  /** ms. A proved tip that is older, by its miner's clock, is told as old; no honest pause of a chain of one block a second is as long. */
  proofStaleMs: 1_200_000n,
  /** receipts. Of payments, made at one proved state; more wait for the next state. */
  receiptsAtState: 512,
  /** receipts. Made in one go, some 8 ms each: what else is to be done waits so long. */
  receiptsAtOnce: 4,
  /** rows. Looked at for one page of a list with filters; the page ends there, and its cursor goes on. */
  listLook: 2_000,
  /** invoices. Looked at together when their time has come or the tip has moved. */
  lookInvoices: 500,
  /** ms. After an expiry in which a payment is still on time, unless its merchant says otherwise: clocks of miners differ. */
  graceMs: 30_000n,
  /** ms. Longest pause between two looks at invoices whose time may have come. */
  lookEveryMs: 60_000,
  /** rows. Counted for one metric; beyond it the metric tells this number. */
  metricRows: 1_000,
  /** streams. Checkout pages that watch an invoice at once; one more is told to ask again. */
  watchers: 10_000,
  /** ms. A stream on which nothing happens says so, so that no proxy closes it. */
  quietMs: 15_000,
  /** endpoints. Webhooks of one merchant. */
  merchantEndpoints: 16,
  /** keys. API keys of one merchant that are not revoked. */
  merchantKeys: 64,
  /** merchants. Of one gateway; each has at most one viewing key of its own. */
  merchants: 20_000,
  /** deliveries. Kept of a webhook that are done; the oldest go. Dead letters stay as long. */
  deliveriesKept: 10_000n,
  /** deliveries. Webhooks under way at once, of all merchants. */
  deliveriesAtOnce: 64,
  /** ms. Pause between two looks for merchants that an operator has added. */
  merchantsEveryMs: 1_000,
  /** ms. A scan that was not at the tip for so long makes the gateway not ready. */
  lagMs: 60_000n,
  /** lanes. Deliveries of one webhook under way at once; those of one invoice share a lane. */
  lanesPerEndpoint: 4n,
  /** times. So many times as many due deliveries are looked at as have a place, at the front of the queue and once more behind it: past those of a webhook that hangs. */
  deliveryLook: 8,
  /** ms. A webhook is written down as taking deliveries at most so often. */
  deliveredNoteMs: 60_000n,
  /** refunds. Paid or looked after at once, of all merchants; of one merchant it is one. */
  refundsAtOnce: 16,
  /** ms. Pause before a wallet is asked again about a refund; each further one is twice as long. */
  refundRetryFirstMs: 5_000,
  /** ms. Longest such pause: a wallet that had no money is asked again within ten minutes. */
  refundRetryLongestMs: 600_000,
  /** ms. Longest pause between two looks at refunds: a merchant may have named a wallet meanwhile. */
  refundLookMs: 10_000,
  /** sompi. Most that all fees of a refund may be, one coin: four transactions of 38 notes. A wallet of smaller notes merges them first. */
  refundFeeMax: 100_000_000n,
  /** rows. Of a wallet's history in one question. */
  payoutHistoryRows: 500,
  /** questions. For the history of a wallet, when the payment of a refund is looked for. */
  payoutHistoryPages: 20,
  /** bytes. The file that names the wallets which pay refunds of a hosted gateway; a larger one is none. */
  payoutsFileBytes: 262_144,
  /** ms. Between two questions to a hosted gateway for refunds that are due. */
  payoutLookMs: 5_000,
  /** ms. Before a refund is looked at again whose money this scanner has not seen: the payment may be on its way. */
  payoutRefusedMs: 60_000,
  /** refunds. Of a hosted gateway that are not over; one more is not taken on yet. */
  payoutsOpen: 10_000,
  /** blue score. Least depth of a payment of which something is paid back for a hosted gateway, whatever that says. */
  payoutBlueScore: 10,
  /** bytes. The file of a wallet token; a larger one is none. */
  payoutTokenBytes: 512,
  /** payments. Of x402 that are checked at once, a proof each; one more is told to ask again. */
  paymentChecks: 64,
  /** payments. The same of one merchant, so that others find a place. */
  paymentChecksPerMerchant: 16,
  /** payments. Of x402 that are broadcast at once; one more is told to ask again. */
  settlements: 256,
  /** payments. The same of one merchant. */
  settlementsPerMerchant: 64,
  /** challenges. Whose payments are waited for until they are deep; one more is answered at once as one that goes on. */
  settleWaits: 256,
  /** challenges. The same of one merchant. */
  settleWaitsPerMerchant: 64,
  /** ms. After the end of a challenge that nobody paid: then its invoice goes, and a row of its address stays. All tries of its webhooks are over, three days and a pause after it ended. */
  challengeKeptMs: 345_600_000n,
  /** challenges. Put away together. */
  challengeBatch: 64,
  /** ms. A settlement that is not done by then is answered as one that goes on. */
  settleWaitMs: 20_000,
  /** ms. Pause between two tries to broadcast a payment that a node has not taken. */
  settleRetryMs: 2_000,
  /** ms. After the end of a challenge in which a payment that may be out, and is refused or lost, is still waited for in the chain. */
  settleDoubtMs: 600_000n,
  /** payments. Broadcast again together. */
  settleBatch: 32,
  /** sets. Viewing keys that are prepared to read the payments of x402, those used last. */
  paymentKeys: 256,
  /** tills. Of one gateway; each has a name of its own. */
  tills: 4_096,
  /** KiB. Memory that scrypt takes for a till's password, its cost N with r 8; with p 3 about a third of a second. A guess at a stolen copy costs as much. */
  passwordCost: 32_768,
  /** passwords. Checked at once, each on a thread of its own; further ones wait. */
  passwordChecks: 2,
  /** passwords. That wait to be checked; beyond it a caller is told to try again. */
  passwordsWaiting: 32,
  /** facts. In one batch for a hosted gateway: each may be of another invoice, and the edge asks each in a call of its own. */
  pushBatchFacts: 200,
  /** batches. For a hosted gateway that wait in the outbox; with so many no further block is asked for until some have gone. */
  pushWaiting: 1_024,
  /** payments. That lost their block and are remembered, to be told again under another name; the oldest go. */
  orphansKept: 10_000,
  /** batches. Kept after they were acknowledged, to be sent again to a hosted gateway that has lost them; the oldest go. */
  pushKept: 512,
  /** ms. Between two batches that tell a hosted gateway the tip alone. */
  pushTipMs: 2_000n,
  /** ms. A tip that stays is told again after so long: a hosted gateway takes a scanner that is silent for one that is gone. */
  pushBeatMs: 20_000n,
  /** ms. Between two runs of addresses of one viewing key: a hosted gateway that always asks for more gets no more. */
  pushRunMs: 10_000n,
  /** ms. For the answer of a hosted gateway; later the batch is sent again. */
  pushAnswerMs: 30_000,
  /** bytes. The answer of a hosted gateway, a list of keys among them; a longer one is none. */
  pushAnswerBytes: 1_048_576,
  /** keys. Viewing keys with few addresses in one answer of a hosted gateway; an answer with more is none. */
  pushLowKeys: 256,
  /** ms. Pause before a batch is sent again; each further one is twice as long. */
  pushRetryFirstMs: 1_000,
  /** ms. Longest such pause: a hosted gateway that comes back is told within a minute. */
  pushRetryLongestMs: 60_000,
  /** ms. Between two tellings of the operator's prices to a hosted gateway, where one is good for 15 minutes. */
  pushRatesMs: 60_000,
  /** rows. Merchants or API keys in one answer of a hosted gateway; an answer with more is none. */
  hostedRows: 1_000,
  /** characters. A name or label in such an answer; one with more is none. */
  hostedTextChars: 1_024,
  /** questions. For the merchants of a hosted gateway; beyond them the list ends. */
  hostedPages: 100,
  /** bytes. The file of a secret of a hosted gateway; a larger one is none. */
  hostedSecretBytes: 512,
  /** ms. For a command of the drill's operator; a later one is ended, and the drill with it. */
  drillCommandMs: 60_000,
  /** bytes. What such a command prints; one that prints more is ended, and the drill with it. */
  drillCommandBytes: 65_536,
  /** ms. For the invoice of an order, once the command that places it has ended; without one the scene fails. */
  drillInvoiceMs: 30_000,
  /** ms. A shop that was told hands over so late at most; then it is judged by what it did. Where nothing may leave it is watched as long. */
  drillSettleMs: 5_000,
  /** ms. Pause before a shop is asked again what it handed over. */
  drillAskMs: 200,
  /** times. A webhook of the drill that the shop did not take is sent again so often at once, by moving the clock. */
  drillRetries: 2,
  /** ms. Most that the clock is moved for one of these. The pauses of the first two tries, with their jitter, are shorter. */
  drillRetryMs: 75_000n,
  /** times. What an hour without a webhook left over is sent again so often at most, by moving the clock. */
  drillCatchUps: 8,
  /** ms. One step of the clock while the webhook is down. */
  drillStepMs: 300_000n,
  /** deliveries. Looked through for the one that is told a second time. */
  drillDeliveries: 100,
  /** characters. Of an answer at the terminal; a longer one is asked for again. */
  drillAnswerChars: 9,
  /** ms. For a whole request; later it is answered with 408. */
  httpRequestMs: 30_000,
  /** ms. For the head of a request. */
  httpHeadMs: 10_000,
  /** ms. How often late requests are looked for. */
  httpLookMs: 2_000,
  /** ms. A connection on which nothing moves is closed; a stream says every 15 s that it is there. */
  httpIdleMs: 120_000,
  /** bytes. The head of a request. */
  httpHeadBytes: 16_384,
  /** headers. Of a request; further ones are not read. */
  httpHeaders: 64,
  /** ms. How long a stop waits for calls in progress. */
  httpDrainMs: 5_000,
  /** connections. Together: one for each checkout page that is open, and the shops. */
  httpConnections: 12_288,
  /** connections. Of one host; a proxy that is trusted counts for those behind it. */
  httpConnectionsPerHost: 1_024,
  /** requests. A second of one host; the shop of a merchant asks for all of its payers. */
  httpRequestsPerSecond: 200,
  /** requests. Of one host at once. */
  httpRequestsBurst: 1_000,
  /** requests. A second of all hosts together. */
  httpRequestsPerSecondAll: 4_000,
  /** requests. Of all hosts at once. */
  httpRequestsBurstAll: 8_000,
  /** hosts. Remembered with what they asked for; those that asked longest ago are forgotten. */
  httpSources: 16_384,
  /** bytes. Answers that one host has asked for and not read. */
  httpUnsentPerHost: 33_554_432,
  /** bytes. The same of all hosts. */
  httpUnsentBytes: 268_435_456,
} as const;
