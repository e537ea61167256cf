/**
 * Replay of a past stretch of the DAG: the blocks of some minutes with the times at which they are played, and how a replay's
 * clock moves over them. Pure: who plays it brings the time.
 */
import { DAG_LIMITS } from "../dagLimits.ts";
import type { DagBlock } from "./dagBlock.ts";
import { topologicalOrder } from "./topologicalOrder.ts";

/** ms of a minute. */
export const MINUTE_MS = 60_000;

type TimedBlock = { readonly block: DagBlock; readonly atMs: number };

/** Loaded minutes. It keeps the one that is played, the one before, and those that are loaded ahead. */
export class ReplayTape {
  readonly #minutes = new Map<number, readonly TimedBlock[]>();

  /** Loaded minutes, for the test of the bound. */
  get size(): number {
    return this.#minutes.size;
  }

  /**
   * Puts the blocks of a minute in. A block is played at its timestamp, but not before its parents of the same minute: clocks of
   * miners differ. Minutes far from this one are dropped.
   */
  put(minute: number, blocks: readonly DagBlock[]): void {
    const times = new Map<string, number>();
    const [first, last] = [minute * MINUTE_MS, (minute + 1) * MINUTE_MS - 1];
    const timed = topologicalOrder(blocks).map((block): TimedBlock => {
      const parents = block.parents.map((hash) => times.get(hash) ?? first);
      const atMs = Math.min(last, Math.max(first, block.timestamp, ...parents));
      times.set(block.hash, atMs);
      return { block, atMs };
    });
    this.#minutes.set(
      minute,
      timed.toSorted((a, b) => a.atMs - b.atMs),
    );
    for (const other of this.#minutes.keys()) {
      if (Math.abs(other - minute) > DAG_LIMITS.replayAheadMinutes + 1) this.#minutes.delete(other);
    }
  }

  /** Minutes that a replay at this time needs and that are not loaded, the nearest first; none that the present is in. */
  wanted(atMs: number, presentMs: number): readonly number[] {
    const from = minuteOf(atMs);
    return Array.from({ length: DAG_LIMITS.replayAheadMinutes }, (_, index) => from + index).filter(
      (minute) => !this.#minutes.has(minute) && minute < minuteOf(presentMs),
    );
  }

  /** The time up to which everything from this time on is loaded; this time itself when its minute is missing. */
  loadedUntil(atMs: number): number {
    let minute = minuteOf(atMs);
    while (this.#minutes.has(minute)) minute += 1;
    return Math.max(atMs, minute * MINUTE_MS);
  }

  /** Blocks that are played after `fromMs` and not after `toMs`, in their order. */
  between(fromMs: number, toMs: number): readonly DagBlock[] {
    const found: DagBlock[] = [];
    for (let minute = minuteOf(Math.max(0, fromMs)); minute <= minuteOf(toMs); minute += 1) {
      for (const { block, atMs } of this.#minutes.get(minute) ?? []) {
        if (atMs > fromMs && atMs <= toMs) found.push(block);
      }
    }
    return found;
  }

  /** When the next block after this time is played; null when none is loaded. */
  nextAfter(atMs: number): number | null {
    const until = this.loadedUntil(atMs);
    for (let minute = minuteOf(atMs); minute * MINUTE_MS < until; minute += 1) {
      const next = this.#minutes.get(minute)?.find((each) => each.atMs > atMs);
      if (next !== undefined) return next.atMs;
    }
    return null;
  }
}

/** The Unix minute of a time. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/** What a replay's clock does in a moment. */
export type ReplayMove = {
  readonly atMs: number;
  /** It stands because what comes next is not loaded. */
  readonly isWaiting: boolean;
  /** It has caught up with the minute that the present is in: from here on blocks are live. */
  readonly isAtPresent: boolean;
};

/** Moves a clock by `elapsedMs` of the player's own time, `speed` times as fast. */
export function moveReplay(
  tape: ReplayTape,
  from: { readonly atMs: number; readonly speed: number },
  time: { readonly elapsedMs: number; readonly presentMs: number },
): ReplayMove {
  const present = minuteOf(time.presentMs) * MINUTE_MS;
  const wish = from.atMs + Math.max(0, time.elapsedMs) * from.speed;
  const loaded = Math.min(tape.loadedUntil(from.atMs), present);
  const atMs = Math.max(from.atMs, Math.min(wish, loaded));
  const isAtPresent = atMs >= present;
  return { atMs, isWaiting: !isAtPresent && wish > loaded, isAtPresent };
}
