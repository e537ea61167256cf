/** Address of a replay: which moment is played and how fast, as the query of a page says it (`minute`, `second`, `speed`). */
import { DAG_LIMITS } from "../dagLimits.ts";
import { MINUTE_MS, minuteOf } from "./replayTape.ts";

/** A moment of the past that is played. */
export type ReplayMoment = {
  /** ms since 1970. */
  readonly atMs: number;
  /** Times as fast as the chain's clock; 0 stands still and shows the whole minute. */
  readonly speed: number;
};

/** The speeds that a page offers. */
export const REPLAY_SPEEDS = [1, 5, 20, 60, 300] as const;

const DIGITS = /^\d{1,9}$/;
const SECOND = /^(?:\d|[1-5]\d)$/;
const SPEED = /^\d{1,4}(?:\.\d{1,2})?$/;
const SECOND_MS = 1_000;

/** The moment of a query without its question mark; null when it names none, or none that can be: the page is live then. */
export function readReplay(query: string): ReplayMoment | null {
  const parameters = new URLSearchParams(query);
  const minute = parameters.get("minute") ?? "";
  if (!DIGITS.test(minute)) return null;
  const second = parameters.get("second") ?? "";
  const speed = parameters.get("speed") ?? "";
  return {
    atMs: Number(minute) * MINUTE_MS + (SECOND.test(second) ? Number(second) * SECOND_MS : 0),
    speed: SPEED.test(speed) ? cutSpeed(Number(speed)) : 1,
  };
}

/** The query of a moment, without its question mark: whole seconds, and no parameter that would say what holds anyway. */
export function writeReplay({ atMs, speed }: ReplayMoment): string {
  const minute = minuteOf(atMs);
  const second = Math.floor((atMs - minute * MINUTE_MS) / SECOND_MS);
  const parts = [`minute=${minute}`];
  if (second > 0) parts.push(`second=${second}`);
  if (speed !== 1) parts.push(`speed=${cutSpeed(speed)}`);
  return parts.join("&");
}

/** A speed within what a page plays. */
export function cutSpeed(speed: number): number {
  return Math.min(DAG_LIMITS.replaySpeedMost, Math.max(0, speed));
}
