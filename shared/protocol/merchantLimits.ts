/** Limits of the gateway API: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const MERCHANT_LIMITS = {
  /** sompi. The largest amount of an invoice: what a signed 64-bit number holds, since databases of shops have no larger one. A larger amount is refused. */
  amountSompiMax: 9_223_372_036_854_775_807n,
  /** characters. A merchant's order number; a longer one is refused. */
  orderIdChars: 128,
  /** seconds. Shortest life of an invoice: a payer needs time to pay. A shorter one is refused. */
  expirySecondsMin: 60,
  /** seconds. Longest life of an invoice, 30 days; a longer one is refused. */
  expirySecondsMax: 2_592_000,
  /** seconds. Life of an invoice when the merchant names none. */
  expirySecondsDefault: 900,
  /** blue blocks. Least depth that an invoice may ask of its payments; less is refused. */
  depthMin: 1,
  /** blue blocks. Greatest depth that an invoice may ask of its payments; more is refused. */
  depthMax: 10_000,
  /** blue blocks. Depth of payments when the merchant names none. */
  depthDefault: 10,
  /** seconds. Longest that an invoice is watched after its end, 30 days; more is refused. */
  monitorSecondsMax: 2_592_000,
  /** seconds. How long an invoice is watched after its end when the merchant names nothing, one day. */
  monitorSecondsDefault: 86_400,
  /** keys. Of an invoice's metadata; more are refused. */
  metadataKeys: 20,
  /** characters. A key of the metadata; a longer one is refused. */
  metadataKeyChars: 40,
  /** characters. A value of the metadata; a longer one is refused. */
  metadataValueChars: 500,
  /** bytes. All keys and values of the metadata as UTF-8; more are refused. */
  metadataBytes: 8_192,
  /** characters. A redirect URL and the URL of a webhook; a longer one is refused. */
  urlChars: 2_048,
  /** digits. Before the point of a price; more are refused. */
  priceDigits: 12,
  /** digits. After the point of a price; more are refused. */
  priceDecimals: 8,
  /** seconds. How long a payer may give an address for a refund, 30 days; one that nobody claimed is cancelled then. */
  claimSeconds: 2_592_000,
  /** characters. A reason that a merchant gives, and the name of a webhook; a longer one is refused. */
  reasonChars: 500,
  /** characters. Text that invoices are searched for; a longer one is refused. */
  searchChars: 128,
  /** characters. A cursor of a list; a longer one is refused. */
  cursorChars: 128,
  /** words. Order numbers or states in one question for invoices; more are refused. */
  filterWords: 50,
  /** rows. In one answer of a list when the caller names no number. */
  rowsDefault: 50,
  /** rows. Most in one answer of a list; a larger request gets this many. */
  rowsMax: 250,
  /** receipts. In one answer, some 8 kB of text each; a larger request gets this many. */
  receiptRows: 16,
  /** payments. Listed in the record of an invoice, the newest; the sums count all, and the list of payments has them. */
  paymentsShown: 100,
  /** words. Types of events that a webhook may list; more are refused. */
  eventTypesMax: 32,
  /** seconds. Latest that a new secret of a webhook begins to sign, one week; later is refused. */
  secretSwitchSecondsMax: 604_800,
  /** bytes. The body of a request; a larger one is refused. */
  bodyBytes: 32_768,
  /** characters. A payment as base64 text: a transaction of 38 actions has 167,000; a longer one is refused. */
  paymentChars: 180_000,
  /** bytes. The body of a request with a payment; a larger one is refused. */
  paymentBodyBytes: 262_144,
  /** characters. A resource that is paid for: a method and a URL; a longer one is refused. */
  resourceChars: 2_064,
  /** seconds. Longest life of a prepaid session, 90 days; a longer one is refused. */
  sessionSecondsMax: 7_776_000,
  /** sompi. The fee of the smallest payment, of two actions: a price below it is paid from a prepaid session. */
  smallestFeeSompi: 1_855_400n,
  /** seconds. Life of a challenge when the merchant's server names none: a proof takes up to a minute. */
  challengeSecondsDefault: 300,
  /** calls. Challenges that one API key may make in a minute: each takes an address; more are refused. */
  challengesPerMinute: 600,
  /** calls. Other calls of x402 that one API key may make in a minute; more are refused. */
  paymentCallsPerMinute: 6_000,
  /** callers. Of one paywall, whose settlements were not answered; those that were asked for longest ago are forgotten, and their payments are served no more. */
  lostAnswers: 4_096,
  /** callers. The same of one challenge: requests at the same moment; further ones are forgotten. */
  lostAnswersEach: 16,
  /** calls. Invoices that one API key may create in a minute; more are refused. */
  createsPerMinute: 60,
  /** calls. Other calls that one API key may make in a minute; more are refused. */
  readsPerMinute: 600,
  /** calls. Questions that one host may ask about one checkout in a minute; more are refused. */
  checkoutReadsPerMinute: 30,
  /** calls. All calls without a key that one host may make in a minute: many payers behind one address, and no scan of invoices. */
  publicCallsPerMinute: 300,
  /** characters. Shortest password of a till: it is typed each day, and tries over the network are limited. A shorter one is refused. */
  tillPasswordCharsMin: 10,
  /** characters. Longest password of a till; a longer one is refused before it is hashed. */
  tillPasswordChars: 128,
  /** seconds. How long a till stays signed in: a long working day. Then it asks for its password again. */
  tillSessionSeconds: 57_600,
  /** sessions. Of one till at once; the one that was opened first ends for a further one. */
  tillSessions: 16,
  /** seconds. How long a device that signed in as a till is known by its cookie: a year. Past half of it, it gets another one when it signs in. */
  tillDeviceSeconds: 31_536_000,
  /** devices. Known of one till; the one that was known first is forgotten for a further one. */
  tillDevices: 16,
  /** calls. Tries to sign in from one host, as one till, and from one known device of a till, in a minute; more are refused, right ones too. */
  tillSignInsPerMinute: 6,
  /** calls. Sales that one till may begin in a minute; more are refused. */
  tillSalesPerMinute: 30,
  /** calls. Other calls of one till in a minute; more are refused. */
  tillReadsPerMinute: 120,
  /** calls. Day's closes that one till may read in a minute: each reads all of its sales. More are refused. */
  tillClosesPerMinute: 20,
  /** choices. Percentages that a till offers for a tip; more are refused. */
  tillTips: 4,
  /** percent. The largest of these; a larger tip is typed as an amount. */
  tillTipPercentMax: 100,
  /** sales. In the day's close of a till, the newest; beyond it says that it is not complete. */
  daySalesMax: 5_000,
  /** ms. A client waits so long for an answer. */
  callMs: 10_000,
  /** ms. A client waits so long for an invoice to be created, which is on disk before it is answered. */
  createMs: 20_000,
  /** ms. A client waits so long for a settlement, of which the gateway takes 20 s until it answers that it goes on. */
  settleMs: 28_000,
  /** bytes. An answer: 250 invoices with their metadata and payments have 16 MB; a client reads no further. */
  answerBytes: 33_554_432,
  /** characters. Of the name of where a price comes from. */
  rateSourceChars: 64,
  /** prices. Told to a hosted gateway at once, one a currency; more are refused. */
  toldRates: 180,
} as const;
