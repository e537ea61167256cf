/**
 * Runs an open wallet: catches up, broadcasts, waits for news, and does not give up on a node
 * that is away (specification webwallet 5.8 steps 10 to 12).
 */
import { abortable } from "../base/abort.ts";
import { infoOf } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { SvcError, type ErrorJson } from "../base/svcError.ts";
import { broadcastDue, type BroadcastParts } from "./broadcast.ts";

/** What the loop has met so far; input of `walletStatus`. */
export type LoopFacts = {
  /** Requests that failed since the last success. */
  readonly failures: number;
  /** The fault that stands in the way, unless the node is merely away. */
  readonly problem: ErrorJson | null;
  readonly everSynced: boolean;
};

/** Keeps one wallet running until its signal fires. */
export class WalletLoop {
  readonly #parts: BroadcastParts;
  readonly #pollMs: number;
  readonly #onChange: (facts: LoopFacts) => void;
  #facts: LoopFacts = { failures: 0, problem: null, everSynced: false };
  #wake: () => void = () => undefined;
  #woken = false;
  #scannedAgain = false;

  /** `pollMs` is the pause between looks at the node when nothing wakes the loop earlier. */
  constructor(parts: BroadcastParts, pollMs: number, onChange: (facts: LoopFacts) => void) {
    this.#parts = parts;
    this.#pollMs = pollMs;
    this.#onChange = onChange;
  }

  /** What the loop has met so far. */
  get facts(): LoopFacts {
    return this.#facts;
  }

  /** There is news: look at the node now. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Runs until the signal fires; then resolves. Rejects only on a defect of ours. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#parts.sync.subscribe(() => this.#noticeRescan());
    try {
      while (!signal.aborted) {
        const pauseMs = await this.#turn(signal);
        await this.#pause(pauseMs, signal);
      }
    } finally {
      unsubscribe();
    }
  }

  async #turn(signal: AbortSignal): Promise<number> {
    try {
      await this.#catchUp(signal);
      await broadcastDue(this.#parts, signal);
      this.#set({ failures: 0, problem: null, everSynced: this.#parts.sync.everSynced });
      return this.#pollMs;
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (error.code === "run/aborted") return 0;
      const failures = this.#facts.failures + 1;
      const passing = infoOf(error).retryable;
      this.#set({ ...this.#facts, failures, problem: passing ? null : error.toJSON() });
      const doubled = LIMITS.walletRetryFirstMs * 2 ** Math.min(failures - 1, 16);
      return Math.min(doubled, LIMITS.walletRetryLongestMs);
    }
  }

  /** A tree that differs from the node's is scanned anew, once: then the node is at fault. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    const { sync } = this.#parts;
    try {
      await sync.catchUp(signal);
    } catch (error) {
      if (this.#scannedAgain || !SvcError.is(error, "wallet/tree-mismatch")) throw error;
      this.#scannedAgain = true;
      await sync.rescan(signal);
      await sync.catchUp(signal);
    }
  }

  /** A scan that began anew has no final balance until it is at the tip again. */
  #noticeRescan(): void {
    if (!this.#facts.everSynced || this.#parts.sync.everSynced) return;
    this.#set({ ...this.#facts, everSynced: false });
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (!this.#woken) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      this.#wake = () => stop.abort();
      await abortable(this.#parts.clock.sleep(ms, either), either).catch(ignoreAbort);
      this.#wake = () => undefined;
    }
    this.#woken = false;
  }

  #set(facts: LoopFacts): void {
    this.#facts = facts;
    this.#onChange(facts);
  }
}

function ignoreAbort(thrown: unknown): void {
  if (SvcError.from(thrown).code !== "run/aborted") throw thrown;
}
