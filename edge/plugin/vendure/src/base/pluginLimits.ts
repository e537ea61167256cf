/** Limits of the plugin: each has its unit and its reason. */
export const VENDURE_LIMITS = {
  /** Time of a call to the gateway, ms: a customer waits for it. */
  callMs: 20_000,
  /** Bytes of an answer of the gateway, far above an invoice with all its payments. */
  answerBytes: 1_048_576,
  /** Bytes of a webhook's body, far above an invoice with all its payments. */
  webhookBytes: 1_048_576,
  /** Characters of a signature's header: several signatures stand in it while a secret is replaced. */
  signatureChars: 1_024,
  /** Seconds by which the time of a webhook may be off, either way: how long a recorded one could be sent again. */
  toleranceS: 300,
  /** Seconds after which a gateway may send a webhook again that could not be processed. */
  retryS: 10,
  /** Who may wait for the same invoice at once: webhooks of one invoice come a few at a time. */
  waitersPerInvoice: 8,
  /** Ids of events that a payment remembers: more than are on their way at once. */
  eventsKept: 50,
  /** Attempts in one go: a repeated one may give an invoice that has expired since, or a key that was used before. */
  startTries: 3,
  /** Earlier invoices of an order that are read before it gets another one: a customer waits for it. */
  earlierRead: 5,
  /** Seconds in which an invoice is to be paid where the options say nothing. */
  expiresInS: 900,
  /** Blue blocks above a payment until it is confirmed, where the options say nothing. */
  requiredBlueScore: 10,
  /** The most that may be asked for. */
  requiredBlueScoreMax: 10_000,
  /** Characters of a URL that is trusted. */
  urlChars: 2_048,
  /** Characters of a foreign text in a log. */
  shownChars: 200,
  /** Characters of the reason of a refund. */
  reasonChars: 200,
  /** Seconds for which a payment is looked at again that waits for nothing: as long as a gateway repeats its webhooks. */
  watchS: 259_200,
  /** Payments that one run of the hourly task reads: some reads a second for a minute. */
  paymentsPerRun: 100,
} as const;
