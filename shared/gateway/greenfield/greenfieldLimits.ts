/** Limits of the BTCPay interface: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const GREENFIELD_LIMITS = {
  /** bytes. The metadata of an invoice as JSON; more is refused. It is as much as the gateway's own API takes. */
  greenfieldMetadataBytes: 8_192,
  /** characters. Shortest secret that a shop may choose for its webhook: a shorter one could be guessed from one delivery. It is refused. */
  greenfieldSecretCharsMin: 16,
  /** characters. Longest such secret; a longer one is refused. */
  greenfieldSecretCharsMax: 255,
  /** rows. Invoices that a list may pass over; more are refused, since each is read. */
  greenfieldSkipMax: 1_000,
  /** pages. Parts of the merchant's list that are read for one list; invoices behind them are not found, and a shop asks by order number. */
  greenfieldListPages: 8,
  /** minutes. Longest life of an invoice, 30 days; a longer one is refused. */
  greenfieldExpiryMinutesMax: 43_200,
  /** minutes. Longest that an invoice is watched after its end, 30 days; a longer time is refused. */
  greenfieldMonitorMinutesMax: 43_200,
  /** characters. Name of a refund; a longer one is refused. */
  greenfieldNameChars: 500,
} as const;
