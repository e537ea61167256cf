/** Limits of deliveries that failed, on every host of the gateway: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const RETRY_LIMITS = {
  /** percent. How much earlier or later than its pause a webhook is sent again, drawn anew each time: receivers that come back are not overrun. */
  retryJitterPercent: 20,
  /** ms. A webhook that fails this long after it was made is a dead letter: three days. */
  retryGiveUpMs: 259_200_000n,
} as const;
