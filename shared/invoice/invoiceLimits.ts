/** Limits of invoices: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const INVOICE_LIMITS = {
  /** payments. Payments that an invoice lists; beyond them those that no reorganisation reaches are kept as a count and a sum. */
  invoicePaymentsListed: 256,
  /** blue score. Depth from which on a payment may be kept as part of a sum: no node follows a reorganisation so deep. */
  invoiceFoldDepth: 10_000n,
  /** blue score. How much below the tip at its making a block may lie that pays an invoice: another chain may be a little shorter. */
  invoiceReorgMargin: 64n,
  /** refunds. Of one invoice that are not cancelled; one more is refused. */
  invoiceRefunds: 64,
  /** transactions. That pay one refund; an answer with more is none. */
  refundTransactions: 64,
  /** characters. The name of a wallet or of a job of it, and a cursor, between a hosted gateway and who pays its refunds; longer ones are refused. */
  payoutNameChars: 128,
  /** refunds. That are due, in one answer of a hosted gateway; further ones are in the next answers. */
  payoutRows: 100,
  /** facts. In one batch of a scanner; more come in several. */
  factBatchFacts: 1_000,
  /** states. Proved ones in one batch, with the work above each. */
  factBatchSteps: 256,
  /** addresses. In one fact: a run that a scanner hands out. */
  factBatchAddresses: 1_024,
  /** receipts. In one batch of a scanner; more come in several. */
  factBatchReceipts: 16,
  /** bytes. A receipt of a payment, some 4,000 as they are made; a larger one is not kept, and a batch with one is refused. */
  receiptBytes: 16_384,
  /** bytes. A batch of a scanner as JSON; a larger one is refused. */
  factBatchBytes: 1_048_576,
} as const;
