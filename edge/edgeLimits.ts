/** Limits of the edge: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const EDGE_LIMITS = {
  /** ms. How late the alarm of an object may be before the sweep takes it for lost. With a sweep each minute a lost one is found within two. */
  sweepSlackMs: 30_000n,
  /** objects. Whose alarms one sweep sets anew, and webhooks that it puts back into the queue, those longest unseen first; the next sweep goes on. */
  sweepRows: 500,
  /** calls. Under way at once in one invocation: the platform allows six connections. */
  callsAtOnce: 6,
  /** ms. Pause of an object whose work failed; then it tries again. */
  dueRetryMs: 5_000n,
  /** keys. Master keys that are held at once while one replaces another; more are refused. */
  masterKeys: 8,
  /** bytes. A secret that is sealed; a longer one is refused. */
  sealedSecretBytes: 4_096,
  /** keys. API keys of a merchant in one answer, the newest; older ones are not listed. */
  apiKeyRows: 1_000,
  /** merchants. In one answer to the operator; a further question gives those behind the last. */
  merchantRows: 250,
  /** invoices. In one page of the list; a larger request gets this many. */
  invoiceRowsMax: 250,
  /** invoices. Looked at for one page of a search, the newest first; the page may then be short, and its cursor goes on. */
  invoiceSearchRows: 2_000,
  /** refunds. Looked at for one page of a list, the newest first; the page may then be short, and its cursor goes on. */
  refundLookRows: 500,
  /** characters. The text of a search; a longer one is refused. */
  invoiceSearchChars: 128,
  /** ms. Longest delay that the platform's queue takes; a message that comes before its time is put back. */
  queueDelayMs: 43_200_000,
  /** seconds. Pause of a message whose handling failed for want of database or queue. */
  queuePauseS: 30,
  /** endpoints. Webhooks of one merchant; one more is refused. */
  merchantEndpoints: 16,
  /** events. Of an invoice, whose deliveries are written down in one go; the rest follow at once. */
  relayEvents: 50,
  /** deliveries. One event becomes fewer of them for one webhook: places of a delivery among those of its invoice. */
  eventParts: 1_000,
  /** ms. A delivery that was never tried waits so long for one that was told before it: a message that the queue lost is found meanwhile. Then it goes first. */
  orderWaitMs: 120_000n,
  /** seconds. Between two looks at whether it still has to wait. */
  orderPauseS: 1,
  /** times. A change is tried again where the invoice became another one meanwhile; then the caller is told to try again. */
  changeTries: 8,
  /** addresses. A viewing key with fewer left is named to its scanner. */
  addressLow: 512,
  /** addresses. Taken between two notes of how many are left. */
  addressNoteEvery: 64,
  /** keys. Viewing keys with few addresses that a scanner is told of in one answer; the next answers name the others, in turn. */
  lowKeys: 100,
  /** batches. Of a scanner, the last, whose content is known by its SHA-256: as many as a scanner keeps. A number before these is refused. */
  batchHashes: 512,
  /** invoices. Looked at with one batch because the tip has settled a payment of theirs; the next batch goes on. */
  lookInvoices: 500,
  /** prices. In one answer, one a currency. */
  rateRows: 256,
  /** ms. Age from which on a price makes no invoice, as beside a node where its operator says nothing else. */
  rateAgeMs: 900_000n,
  /** files. Beside the Worker, for its checkout pages; with more it serves none. */
  assetFiles: 16,
  /** bytes. Of one of them; a larger one is not served. */
  assetBytes: 262_144,
  /** sources. Callers whose calls are counted by one instance of the Worker; those that called longest ago are forgotten. */
  rateSources: 16_384,
  /** objects. That count the calls of all instances, each those of its part of the callers: one object answers a thousand calls a second. */
  rateShards: 64,
  /** callers. Of one of these objects; beyond it those that called longest ago are forgotten, a sixteenth at once, and have their whole share again. */
  rateSubjects: 16_384,
  /** ms. Such an object has so long to answer; then the instance counts by itself. */
  rateAnswerMs: 500,
  /** ms. An instance whose object did not answer counts by itself for so long, then asks again. */
  ratePauseMs: 5_000,
  /** ms. Between two looks of a stream that watches an invoice. */
  watchPauseMs: 3_000,
  /** looks. Of a stream; then it ends, and the page opens another one. */
  watchLooks: 200,
  /** looks. After so many a stream says that it is there. */
  quietLooks: 5,
  /** sockets. WebSockets of one invoice: its payer has a few pages open. One more is refused, and its page hears of changes otherwise. */
  socketsPerInvoice: 64,
  /** sockets. Of these, those of one host: whoever is behind its address. One more is refused. */
  socketsPerHost: 8,
  /** bytes. A client sends nothing, so that any message closes its WebSocket; a longer one than this as too long. */
  socketMessageBytes: 1_024,
  /** ms. Life of a WebSocket; then it is closed, and a page that is still looked at opens another one. */
  socketLifeMs: 3_600_000n,
  /** invoices. With WebSockets, that hear of each new tip; those that were opened first are forgotten, and their pages count no confirmations until they open another one. */
  watchedInvoices: 10_000,
  /** invoices. Of these, those that hear of the tip with one batch, those longest without one first. */
  watchedAtOnce: 200,
  /** ms. A scanner that has told nothing for so long makes the gateway not ready. */
  lagMs: 60_000n,
} as const;
