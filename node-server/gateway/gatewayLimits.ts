/** Limits of the gateway: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const GATEWAY_LIMITS = {
  /** addresses. Derived and written down at once for a viewing key, before an invoice has one of them. */
  addressRun: 1_024,
  /** addresses. A viewing key with fewer left gets another run; without any an invoice is refused until there are. */
  addressLow: 512,
  /** steps. Changes of the database that wait to be written together; a caller beyond is told that the gateway is busy. */
  commitSteps: 1_024,
  /** rows. Looked at for one page of a list with filters; the page ends there, and its cursor goes on. */
  listLook: 2_000,
  /** invoices. Looked at together when their time has come or the tip has moved. */
  lookInvoices: 500,
  /** endpoints. Webhooks of one merchant. */
  merchantEndpoints: 16,
  /** keys. API keys of one merchant that are not revoked. */
  merchantKeys: 64,
  /** merchants. Of one gateway; each has at most one viewing key of its own. */
  merchants: 20_000,
  /** deliveries. Kept of a webhook that are done; the oldest go. Dead letters stay as long. */
  deliveriesKept: 10_000n,
  /** ms. How long the whole answer to a call with an idempotency key is kept; the key names its invoice as long as that exists. */
  answerKeptMs: 86_400_000n,
} as const;
