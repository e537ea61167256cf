/** Choices of the time without input after which an open wallet locks itself. */
import { PAGE_LIMITS } from "../pageLimits.ts";

/** Milliseconds of each choice, by its name in the store. Shortest and longest bound what a stored name can mean. */
const DURATIONS = {
  shortest: PAGE_LIMITS.autoLockShortestMs,
  short: PAGE_LIMITS.autoLockShortMs,
  usual: PAGE_LIMITS.walletIdleLockMs,
  longest: PAGE_LIMITS.autoLockLongestMs,
} as const;

/** The name of a choice. */
export type AutoLock = keyof typeof DURATIONS;

/** What a wallet has before its owner chose. */
export const AUTO_LOCK_USUAL: AutoLock = "usual";

/** All choices, the shortest time first. */
export const AUTO_LOCKS: readonly AutoLock[] = ["shortest", "short", "usual", "longest"];

/** Milliseconds without input after which the wallet locks. */
export function autoLockMs(choice: AutoLock): number {
  return DURATIONS[choice];
}

/** The choice of this stored name; the usual one for everything else. */
export function readAutoLock(name: unknown): AutoLock {
  return AUTO_LOCKS.find((choice) => choice === name) ?? AUTO_LOCK_USUAL;
}
