/**
 * The main loop of an open wallet: follows the node, broadcasts, waits for news, and retries with backoff when the node is away
 * (specification wallet 6.7).
 *
 * The time of the next request follows from the node's answers and the clock. It does not depend on the result of a scan or on
 * how long the scan took (decision 23). Payments are handed over beside that, and only when everything that came is scanned: one
 * that is in a block already would tell whose it is.
 */
import { abortable } from "../../base/abort.ts";
import { infoOf } from "../../base/errors.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { broadcastDue, type BroadcastParts } from "../send/broadcast.ts";
import { isPublicFault } from "../sync/changeQueue.ts";
import { isContradicted } from "../proof/chainProof.ts";
import { cursorOf } from "../state/walletState.ts";
import type { WalletSync } from "../sync/walletSync.ts";

/** Dependencies of the loop. */
export type LoopParts = BroadcastParts & {
  readonly sync: WalletSync;
  /** Called after each look that the node answered, whether or not what came is scanned. */
  readonly looked?: () => void;
};

/** State of the loop; input of `walletStatus`. */
export type LoopFacts = {
  /** Requests that failed since the last success. */
  readonly failures: number;
  /** The fault that stands in the way, unless the node is merely away. */
  readonly problem: ErrorJson | null;
  readonly everSynced: boolean;
};

/** Keeps one wallet running until its signal fires. */
export class WalletLoop {
  readonly #parts: LoopParts;
  readonly #pollMs: number;
  readonly #onChange: (facts: LoopFacts) => void;
  #facts: LoopFacts = { failures: 0, problem: null, everSynced: false };
  #wake: () => void = () => undefined;
  #woken = false;
  #scannedAgain = false;
  /** Pages are being asked for: what is scanned so far is not all that the node has. */
  #following = false;
  #handing: Promise<void> | null = null;
  /** The last fault of the node's bytes that a turn has answered with a pause. */
  #met: SvcError | null = null;

  /** `pollMs` is the pause between looks at the node when nothing wakes the loop earlier. */
  constructor(parts: LoopParts, pollMs: number, onChange: (facts: LoopFacts) => void) {
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
    const unsubscribe = this.#parts.sync.subscribe(() => this.#noticeSync());
    try {
      while (!signal.aborted) {
        const pauseMs = await this.#turn(signal);
        await this.#pause(pauseMs, signal);
      }
    } finally {
      unsubscribe();
      await this.#handing;
    }
  }

  async #turn(signal: AbortSignal): Promise<number> {
    this.#following = true;
    try {
      await this.#meetFault(signal);
      await this.#parts.sync.follow(signal);
      this.#following = false;
      this.#parts.looked?.();
      void this.#report(signal);
      return this.#pollMs;
    } catch (thrown) {
      this.#following = false;
      // Whether we were told to stop says our own signal, never a code that may have come from the node.
      if (signal.aborted) return 0;
      const error = SvcError.from(thrown);
      const failures = this.#facts.failures + 1;
      const passing = infoOf(error).retryable;
      this.#set({ ...this.#facts, failures, problem: passing ? null : error.toJSON() });
      const doubled = WALLET_LIMITS.walletRetryFirstMs * 2 ** Math.min(failures - 1, 16);
      return Math.min(doubled, WALLET_LIMITS.walletRetryLongestMs);
    }
  }

  /**
   * Pages that nobody can use, each met with one pause before they are asked for anew. A tree that differs from the node's, and
   * pages that the chain contradicts with nothing proved below them, are scanned anew, once: then the node is at fault.
   */
  async #meetFault(signal: AbortSignal): Promise<void> {
    const { sync } = this.#parts;
    const { fault } = sync;
    if (fault === null || fault === this.#met || !isPublicFault(fault)) return;
    this.#met = fault;
    if (!this.#mends(fault)) throw fault;
    this.#scannedAgain = true;
    await sync.rescan(signal);
  }

  #mends({ code }: SvcError): boolean {
    if (this.#scannedAgain) return false;
    return code === "wallet/tree-mismatch" || (isContradicted(code) && !this.#parts.sync.hasProof);
  }

  /** Says how it went once everything that came is scanned, and hands over what is due. */
  async #report(signal: AbortSignal): Promise<void> {
    const { sync } = this.#parts;
    await sync.settled();
    const { fault, everSynced } = sync;
    if (fault === null) {
      this.#set({ failures: 0, problem: null, everSynced });
      if (everSynced && !this.#following && this.#isAtTip()) this.#handOver(signal);
    } else if (!this.#mends(fault))
      this.#set({ ...this.#facts, problem: fault.toJSON(), everSynced });
  }

  /** A look ends after many pages, wherever the node says its tip is. */
  #isAtTip(): boolean {
    const { tip, state } = this.#parts.sync;
    if (tip === null) return false;
    return tip.chainIndex - cursorOf(state).chainIndex <= WALLET_LIMITS.walletSyncedWithin;
  }

  /** One attempt for every payment that is due, beside the looks at the node, which do not wait for it. */
  #handOver(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#handing ??= broadcastDue(this.#parts, signal)
      .catch((thrown: unknown) => {
        if (signal.aborted) return;
        this.#set({ ...this.#facts, problem: SvcError.from(thrown).toJSON() });
      })
      .finally(() => {
        this.#handing = null;
      });
  }

  /** A scan that began anew has no final balance until it is at the tip again. */
  #noticeSync(): void {
    if (!this.#facts.everSynced || this.#parts.sync.everSynced) return;
    this.#set({ ...this.#facts, everSynced: false });
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (!this.#woken) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      this.#wake = () => stop.abort();
      await abortable(this.#parts.clock.sleep(ms, either), either).catch((thrown: unknown) => {
        if (!either.aborted) throw thrown;
      });
      this.#wake = () => undefined;
    }
    this.#woken = false;
  }

  #set(facts: LoopFacts): void {
    this.#facts = facts;
    this.#onChange(facts);
  }
}
