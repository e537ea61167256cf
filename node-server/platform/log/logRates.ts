/** Rate limit of log messages: whoever makes a node log one message again and again does not fill a disk with it. */
import { PLATFORM_LIMITS } from "../platformLimits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { TokenBucket, type Rate } from "../time/tokenBucket.ts";

type Row = { readonly bucket: TokenBucket; leftOut: number };

const MINUTE_S = 60;
/** Of one message. */
const RATE: Rate = {
  perSecond: PLATFORM_LIMITS.logSamePerMinute / MINUTE_S,
  burst: PLATFORM_LIMITS.logSameBurst,
};

/** Counts lines by their message, which is constant in the source. */
export class LogRates {
  readonly #rows = new LruMap<string, Row>(PLATFORM_LIMITS.logMessages);

  /** How many lines with this message were left out before one that may be written now; null for one that may not. */
  admit(message: string, nowMs: bigint): number | null {
    const row = this.#rows.get(message) ?? { bucket: new TokenBucket(RATE, nowMs), leftOut: 0 };
    this.#rows.set(message, row);
    if (row.bucket.take(1, nowMs) === 0) {
      row.leftOut += 1;
      return null;
    }
    const { leftOut } = row;
    row.leftOut = 0;
    return leftOut;
  }
}
