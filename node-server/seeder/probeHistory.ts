/**
 * Reliability of a node: the share of successful probes over windows of some hours to a week, where old probes fade (the rule
 * that DNS seeders of this kind of network share).
 */
import { SEEDER_LIMITS } from "./seederLimits.ts";

/** The score over one window. */
export type WindowScore = {
  /** Weight of the tries that succeeded, faded. */
  readonly good: number;
  /** Weight of all tries, faded; a try weighs the more, the longer the time since the one before. */
  readonly all: number;
  /** Tries, faded. */
  readonly count: number;
};

/** The history of the probes of a node. */
export type ProbeHistory = {
  readonly tries: number;
  readonly successes: number;
  readonly failuresInRow: number;
  /** Unix milliseconds; null before the first. */
  readonly lastTryMs: number | null;
  readonly lastSuccessMs: number | null;
  /** As many as there are windows, from the shortest on. */
  readonly windows: readonly WindowScore[];
};

type Window = {
  /** Milliseconds after which a try counts for a third. */
  readonly ms: number;
  /** A node is reliable above this share of tries that succeeded, */
  readonly ratio: number;
  /** when more tries than this stand behind it. */
  readonly count: number;
};

const HOUR_MS = 3_600_000;
/** The longer a node is known, the more failures it is forgiven. */
const WINDOWS: readonly Window[] = [
  { ms: 2 * HOUR_MS, ratio: 0.85, count: 2 },
  { ms: 8 * HOUR_MS, ratio: 0.7, count: 4 },
  { ms: 24 * HOUR_MS, ratio: 0.55, count: 8 },
  { ms: 168 * HOUR_MS, ratio: 0.45, count: 16 },
];
/** A node that is new is taken with as few tries, half of which succeeded. */
const NEW_TRIES = 3;

/** The number of windows. */
export const WINDOW_COUNT = WINDOWS.length;

/** The history of a node that was never probed. */
export const NO_TRIES: ProbeHistory = {
  tries: 0,
  successes: 0,
  failuresInRow: 0,
  lastTryMs: null,
  lastSuccessMs: null,
  windows: WINDOWS.map(() => ({ good: 0, all: 0, count: 0 })),
};

/** Returns the history with one more probe, at a time in Unix milliseconds. */
export function noteTry(history: ProbeHistory, succeeded: boolean, nowMs: number): ProbeHistory {
  const { lastTryMs } = history;
  const passedMs =
    lastTryMs === null ? SEEDER_LIMITS.seederRetryMs : Math.max(0, nowMs - lastTryMs);
  const windows = WINDOWS.map(({ ms }, at) => {
    const { good, all, count } = history.windows[at] ?? { good: 0, all: 0, count: 0 };
    const kept = Math.exp(-passedMs / ms);
    const weight = 1 - kept;
    return {
      good: good * kept + (succeeded ? weight : 0),
      all: all * kept + weight,
      count: count * kept + 1,
    };
  });
  return {
    tries: history.tries + 1,
    successes: history.successes + (succeeded ? 1 : 0),
    failuresInRow: succeeded ? 0 : history.failuresInRow + 1,
    lastTryMs: nowMs,
    lastSuccessMs: succeeded ? nowMs : atMost(history.lastSuccessMs, nowMs),
    windows,
  };
}

/** The history as it is at a time in Unix milliseconds: what a clock wrote that was ahead happened now at the latest. */
export function notAhead(history: ProbeHistory, nowMs: number): ProbeHistory {
  const { lastTryMs, lastSuccessMs } = history;
  return {
    ...history,
    lastTryMs: atMost(lastTryMs, nowMs),
    lastSuccessMs: atMost(lastSuccessMs, nowMs),
  };
}

function atMost(timeMs: number | null, nowMs: number): number | null {
  return timeMs === null ? null : Math.min(timeMs, nowMs);
}

/** Whether a node is one to name to others at a time in Unix milliseconds. */
export function isReliable(history: ProbeHistory, nowMs: number): boolean {
  const { tries, successes, lastSuccessMs, windows } = history;
  if (lastSuccessMs === null || nowMs - lastSuccessMs > SEEDER_LIMITS.seederFreshMs) return false;
  if (tries <= NEW_TRIES) return successes * 2 >= tries;
  return WINDOWS.some(({ ratio, count }, at) => {
    const score = windows[at];
    return score !== undefined && score.good > ratio * score.all && score.count > count;
  });
}

/**
 * When a node is probed next, Unix milliseconds: later each time while it does not answer, and now when the last probe seems to
 * lie ahead, since the clock was set back. One that was never tried is to be tried since it is known.
 */
export function nextTryMs(
  { lastTryMs, failuresInRow }: Pick<ProbeHistory, "lastTryMs" | "failuresInRow">,
  { knownMs, nowMs }: { readonly knownMs: number; readonly nowMs: number },
): number {
  if (lastTryMs === null) return Math.min(knownMs, nowMs);
  if (lastTryMs > nowMs) return nowMs;
  const factor = 2 ** Math.min(failuresInRow, SEEDER_LIMITS.seederRetryDoublings);
  return lastTryMs + SEEDER_LIMITS.seederRetryMs * factor;
}

/** Whether a node is to be forgotten: it never answered some tries, or not for long. */
export function isHopeless({ failuresInRow, lastSuccessMs }: ProbeHistory, nowMs: number): boolean {
  if (lastSuccessMs === null) return failuresInRow > SEEDER_LIMITS.seederFailures;
  return nowMs - lastSuccessMs > SEEDER_LIMITS.seederForgetMs;
}
