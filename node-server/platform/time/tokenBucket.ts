/** Token bucket rate limiter: tokens are paid for work and come back with time. */

/** The rate of a bucket: tokens a second, and the burst after a pause. */
export type Rate = { readonly perSecond: number; readonly burst: number };

/** A token bucket. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #filledAt: bigint;

  /** Full at `now`, Unix milliseconds. */
  constructor(rate: Rate, now: bigint) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#filledAt = now;
  }

  /** Whether as much is there. */
  has(cost: number, now: bigint): boolean {
    this.#fill(now);
    return this.#tokens >= cost;
  }

  /** Milliseconds until the cost can be paid; 0 when it can now. More than the burst is paid by a full bucket. */
  waitMs(cost: number, now: bigint): number {
    this.#fill(now);
    const { perSecond, burst } = this.#rate;
    const missing = Math.min(cost, burst) - this.#tokens;
    return missing > 0 ? Math.ceil((1_000 * missing) / perSecond) : 0;
  }

  /** Takes tokens; what the bucket lacks is owed. */
  pay(cost: number): void {
    this.#tokens -= cost;
  }

  /** Takes as many of the tokens as are there, up to a whole number. */
  take(wanted: number, now: bigint): number {
    this.#fill(now);
    const taken = Math.min(wanted, Math.max(0, Math.floor(this.#tokens)));
    this.#tokens -= taken;
    return taken;
  }

  #fill(now: bigint): void {
    const { perSecond, burst } = this.#rate;
    // A clock that was set back gives nothing.
    const passed = now > this.#filledAt ? Number(now - this.#filledAt) : 0;
    this.#filledAt = now;
    this.#tokens = Math.min(burst, this.#tokens + (passed * perSecond) / 1_000);
  }
}
