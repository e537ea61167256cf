/** An answer of a node as the edge keeps it: the node's bytes, when they were asked for, and how long they may be shown. */
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { cacheDirectives } from "./cacheDirectives.ts";

/** An answer. */
export type KeptAnswer = {
  /** 200, or that of a refusal that the node is sure of, such as 404. */
  readonly status: number;
  /** As the node sent them. */
  readonly bytes: Uint8Array;
  readonly type: string;
  /** The node's header, no longer than its row allows. */
  readonly cacheControl: string;
  /** Made of the bytes, as a node makes it. */
  readonly etag: string;
  /** Unix ms. When the request to the node began: what the answer holds is no older. */
  readonly asOfMs: number;
};

/** How an answer may be shown at a time. `fresh`; `renewable`, while a new one is asked for; `last`, if no node answers; `gone`. */
export type Standing = "fresh" | "renewable" | "last" | "gone";

const MS = 1_000;
/** Of a document that moves with the tip. */
const TIP_FRESH_S = 1;

/** Milliseconds for which it is fresh, and after those for which it may be shown while a new one is asked for. */
export function lifeOf({ status, cacheControl }: KeptAnswer): {
  readonly freshMs: number;
  readonly staleMs: number;
} {
  if (status !== 200) return { freshMs: EXPLORER_LIMITS.refusalFreshS * MS, staleMs: 0 };
  const told = cacheDirectives(cacheControl);
  if (told.has("no-store")) return { freshMs: EXPLORER_LIMITS.originPauseMs, staleMs: 0 };
  const freshS = Math.min(
    told.get("s-maxage") ?? told.get("max-age") ?? 0,
    EXPLORER_LIMITS.freshMostS,
  );
  // Whoever asks each second shall not get what was kept for the second before.
  const freshMs = freshS <= TIP_FRESH_S ? EXPLORER_LIMITS.originPauseMs : freshS * MS;
  const staleS = Math.min(told.get("stale-while-revalidate") ?? 0, EXPLORER_LIMITS.freshMostS);
  return { freshMs, staleMs: staleS * MS };
}

/** How it may be shown. */
export function standingOf(answer: KeptAnswer, nowMs: number): Standing {
  const { freshMs, staleMs } = lifeOf(answer);
  const age = nowMs - answer.asOfMs;
  if (age < freshMs) return "fresh";
  if (age < freshMs + staleMs) return "renewable";
  // A refusal is no data: what was unknown an hour ago says nothing.
  const isData = answer.status === 200 && mayBeStored(answer);
  return isData && age < EXPLORER_LIMITS.lastDataMs ? "last" : "gone";
}

/** Whether it may be held for longer than those who ask for it at once. */
export function mayBeStored({ cacheControl }: KeptAnswer): boolean {
  return !cacheDirectives(cacheControl).has("no-store");
}

/** Whether it moves with the tip, so that a request waits for a newer one rather than showing it. */
export function movesWithTip(answer: KeptAnswer): boolean {
  return lifeOf(answer).freshMs <= EXPLORER_LIMITS.originPauseMs;
}

/** Bytes that it takes, its names beside them. */
export function weightOf({ bytes, cacheControl, etag, type }: KeptAnswer): number {
  return bytes.length + cacheControl.length + etag.length + type.length + OVERHEAD;
}

/** Bytes of an entry beside what it holds. */
const OVERHEAD = 256;
