/**
 * Retry schedule of webhooks: when a delivery that was not taken is sent again, and when it is given up. Pauses grow, each is
 * drawn anew within its jitter, and the last one repeats.
 */
import { asTimestampMs, type TimestampMs } from "../base/brand.ts";
import { RETRY_LIMITS } from "./retryLimits.ts";

/** When tries are made. */
export type RetrySchedule = {
  /** ms. The pause after the first failed try, after the second one, and so on; the last one repeats. */
  readonly pausesMs: readonly [number, ...number[]];
  /** percent. How much earlier or later than its pause a try is made at most. */
  readonly jitterPercent: number;
  /** ms. A try that fails this long after the delivery was made is the last one. */
  readonly giveUpMs: bigint;
};

/** A try that failed. */
export type FailedTry = {
  /** Failed tries before this one. */
  readonly failedBefore: number;
  /** When the delivery was made. */
  readonly createdMs: TimestampMs;
  /** When this try ended. */
  readonly nowMs: TimestampMs;
  /** 32 random bits, for the jitter. */
  readonly random: number;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const RANDOM_RANGE = 2 ** 32;

/** The schedule of the gateway: 10 s, 1 min, 5 min, 30 min, 2 h, 6 h, then every 12 h until three days have passed. */
export const GATEWAY_RETRIES: RetrySchedule = {
  pausesMs: [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR],
  jitterPercent: RETRY_LIMITS.retryJitterPercent,
  giveUpMs: RETRY_LIMITS.retryGiveUpMs,
};

/** When the next try is made; null when the delivery is given up. */
export function nextTryMs(schedule: RetrySchedule, failed: FailedTry): TimestampMs | null {
  const { createdMs, nowMs, failedBefore, random } = failed;
  if (nowMs - createdMs >= schedule.giveUpMs) return null;
  return asTimestampMs(nowMs + pauseMs(schedule, failedBefore, random));
}

function pauseMs(schedule: RetrySchedule, failedBefore: number, random: number): bigint {
  const { pausesMs, jitterPercent } = schedule;
  const pause = pausesMs[failedBefore] ?? pausesMs.at(-1) ?? pausesMs[0];
  const share = (2 * random) / RANDOM_RANGE - 1;
  return BigInt(Math.round(pause * (1 + (share * jitterPercent) / 100)));
}
