/** The clock of the shop: the one place that reads it. */

/** The time of day of this machine, in Unix seconds: held against the times of webhooks. */
export function shopNowS(): number {
  return Math.floor(Date.now() / 1_000);
}

/** A time in Unix seconds, as the database has it. */
export function dateOf(seconds: number): Date {
  return new Date(seconds * 1_000);
}
