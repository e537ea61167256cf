/** Rate limit on passphrase attempts: growing pauses after wrong ones (specification wallet 4.4). */
import { PAGE_LIMITS } from "../pageLimits.ts";

/** Counts wrong passphrases since the last right one. */
export class Attempts {
  #failures = 0;
  #blockedUntilMs = 0;

  /** Milliseconds until the next attempt is looked at; 0 when it may come now. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#blockedUntilMs - nowMs);
  }

  /** A wrong passphrase: 0, 0, 0, then 1, 2, 4 … seconds. */
  failed(nowMs: number): void {
    this.#failures += 1;
    const beyond = this.#failures - PAGE_LIMITS.unlockFreeAttempts;
    if (beyond <= 0) return;
    const pause = 1_000 * 2 ** Math.min(beyond - 1, 16);
    this.#blockedUntilMs = nowMs + Math.min(pause, PAGE_LIMITS.unlockPauseLongestMs);
  }

  /** The right passphrase. */
  succeeded(): void {
    this.#failures = 0;
    this.#blockedUntilMs = 0;
  }
}
