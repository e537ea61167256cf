/** Session of a drawn DAG: what is in the layout, whether it follows the chain or plays the past, and how fast. Draws nothing. */
import { DagLayout } from "@svc/shared/explorer/dag/dagLayout.ts";
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { cutSpeed, type ReplayMoment } from "@svc/shared/explorer/dag/replayAddress.ts";
import {
  MINUTE_MS,
  minuteOf,
  moveReplay,
  ReplayTape,
} from "@svc/shared/explorer/dag/replayTape.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { DagFeed } from "./dagFeed.ts";

/** What a session tells about itself. */
export type DagStatus = {
  readonly mode: "live" | "replay";
  /** Unix ms of the replay's clock. */
  readonly atMs: number;
  readonly speed: number;
  readonly isPlaying: boolean;
  /** The next minute is not there yet. */
  readonly isWaiting: boolean;
  /** The source does not answer just now. */
  readonly isFailing: boolean;
  /** The source does not have all blocks of a played minute. */
  readonly isIncomplete: boolean;
  /** Blocks that were drawn since the session began. */
  readonly seen: number;
  /** Blocks that left the chain since then. */
  readonly leftChain: number;
};

/** What holds before a session begins. */
export const FIRST_STATUS: DagStatus = {
  mode: "live",
  atMs: 0,
  speed: 1,
  isPlaying: false,
  isWaiting: false,
  isFailing: false,
  isIncomplete: false,
  seen: 0,
  leftChain: 0,
};

/** What a session is made from. */
export type DagSessionParts = {
  readonly feed: DagFeed;
  /** Calls whenever something else is to be drawn or told. */
  readonly changed: () => void;
};

/** The session. It asks for nothing before `start` or `goLive`, and nothing after `stop`. */
export class DagSession {
  readonly layout = new DagLayout();
  readonly #parts: DagSessionParts;
  #tape = new ReplayTape();
  #status: DagStatus = FIRST_STATUS;
  #ended = new AbortController();
  #unfollow: (() => void) | null = null;
  #isLoading = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMs: number = PAGE_LIMITS.graphRetryFirstMs;

  constructor(parts: DagSessionParts) {
    this.#parts = parts;
  }

  /** How it stands. */
  get status(): DagStatus {
    return this.#status;
  }

  /** Begins at a moment of the past, or with the newest blocks. A moment at speed 0 shows all of its minute and stands still. */
  start(moment: ReplayMoment | null): void {
    if (moment === null) {
      this.goLive();
      return;
    }
    const isStill = moment.speed === 0;
    this.#set({ speed: isStill ? 1 : moment.speed });
    this.seek(isStill ? (minuteOf(moment.atMs) + 1) * MINUTE_MS - 1 : moment.atMs);
    if (!isStill) this.play();
  }

  /** Follows the chain from now on. What is drawn stays. */
  goLive(): void {
    this.#stopReplay();
    this.#set({ mode: "live", isPlaying: false, isWaiting: false, isIncomplete: false });
    this.#unfollow ??= this.#parts.feed.follow((blocks) => {
      if (blocks !== null) this.#take(blocks);
      this.#set({ isFailing: blocks === null });
    });
  }

  /** Goes to a moment: what is drawn is what there was until then, from the minute's beginning on. */
  seek(atMs: number): void {
    if (minuteOf(atMs) >= minuteOf(this.#parts.feed.nowMs())) {
      this.goLive();
      return;
    }
    this.#unfollow?.();
    this.#unfollow = null;
    this.layout.clear();
    this.#parts.changed();
    this.#set({ mode: "replay", atMs, isWaiting: false, isIncomplete: false });
    this.#showUntilNow();
    this.#load();
  }

  /** Lets the replay's clock run. */
  play(): void {
    if (this.#status.mode === "replay") this.#set({ isPlaying: true });
  }

  /** Holds it. */
  pause(): void {
    this.#set({ isPlaying: false });
  }

  /** Goes to the next block and stands there. */
  step(): void {
    const { atMs, mode } = this.#status;
    if (mode !== "replay") return;
    const next = this.#tape.nextAfter(atMs);
    const until = this.#tape.loadedUntil(atMs);
    this.#advance(next ?? until);
    this.#set({ isPlaying: false });
    this.#load();
  }

  /** Sets how many times as fast as the chain's own clock it plays. */
  setSpeed(speed: number): void {
    this.#set({ speed: cutSpeed(speed) });
  }

  /** Moves the clock on by some of the reader's time. */
  tick(elapsedMs: number): void {
    const { mode, isPlaying, atMs, speed } = this.#status;
    if (mode !== "replay" || !isPlaying) return;
    const elapsed = Math.min(elapsedMs, PAGE_LIMITS.graphFrameMostMs);
    const presentMs = this.#parts.feed.nowMs();
    const move = moveReplay(this.#tape, { atMs, speed }, { elapsedMs: elapsed, presentMs });
    this.#advance(move.atMs);
    if (move.isAtPresent) {
      this.goLive();
      return;
    }
    if (move.isWaiting !== this.#status.isWaiting) this.#set({ isWaiting: move.isWaiting });
    this.#load();
  }

  /** Ends it: nothing is asked for any more. */
  stop(): void {
    this.#stopReplay();
    this.#unfollow?.();
    this.#unfollow = null;
  }

  #advance(toMs: number): void {
    const { atMs } = this.#status;
    this.#take(this.#tape.between(atMs, toMs));
    this.#status = { ...this.#status, atMs: Math.max(atMs, toMs) };
  }

  /** Draws what the tape has of the clock's minute up to now. */
  #showUntilNow(): void {
    const { atMs } = this.#status;
    this.#take(this.#tape.between(minuteOf(atMs) * MINUTE_MS - 1, atMs));
  }

  #take(blocks: readonly DagBlock[]): void {
    const { placed, changed, leftChain } = this.layout.add(blocks);
    if (placed + changed === 0) return;
    const { seen, leftChain: left } = this.#status;
    this.#status = { ...this.#status, seen: seen + placed, leftChain: left + leftChain };
    this.#parts.changed();
  }

  /** One minute at a time, the nearest first. */
  #load(): void {
    if (this.#isLoading || this.#status.mode !== "replay") return;
    const [minute] = this.#tape.wanted(this.#status.atMs, this.#parts.feed.nowMs());
    if (minute === undefined) return;
    this.#isLoading = true;
    const { signal } = this.#ended;
    this.#parts.feed
      .minute(minute, signal)
      .then(({ blocks, isComplete }) => {
        if (signal.aborted) return;
        this.#isLoading = false;
        this.#retryMs = PAGE_LIMITS.graphRetryFirstMs;
        this.#tape.put(minute, blocks);
        if (minute === minuteOf(this.#status.atMs)) this.#showUntilNow();
        const isIncomplete = this.#status.isIncomplete || !isComplete;
        this.#set({ isFailing: false, isIncomplete });
        this.#load();
      })
      .catch(() => {
        if (!signal.aborted) this.#loadAgainLater();
      });
  }

  #loadAgainLater(): void {
    this.#set({ isFailing: true });
    this.#retry = setTimeout(() => {
      this.#isLoading = false;
      this.#load();
    }, this.#retryMs);
    this.#retryMs = Math.min(PAGE_LIMITS.graphRetryLongestMs, this.#retryMs * 2);
  }

  #stopReplay(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
    clearTimeout(this.#retry);
    this.#isLoading = false;
    this.#tape = new ReplayTape();
  }

  /** What tells nothing new is not told: a graph at rest is not drawn. */
  #set(change: Partial<DagStatus>): void {
    const before: Partial<Record<string, unknown>> = this.#status;
    if (Object.entries(change).every(([name, value]) => before[name] === value)) return;
    this.#status = { ...this.#status, ...change };
    this.#parts.changed();
  }
}
