/**
 * Warm-up: what an operator asks for after a start, so that the first payment need not wait. The lane at the tip makes the shared note tree
 * by itself, and keeps witnesses up with each block; a warm-up waits for it and tells how far it is.
 */
import { abortable } from "@svc/shared/base/abort.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { Lanes } from "./lanes.ts";
import type { OpenWallet } from "./openWallet.ts";
import type { OpenWallets } from "./openWallets.ts";

/** Dependencies of the warm-ups. */
export type WarmUpParts = {
  readonly lanes: Pick<Lanes, "main" | "wake">;
  readonly wallets: Pick<OpenWallets, "open" | "most">;
  /** What the node last said; null before it has answered. */
  readonly tip: () => NodeTip | null;
  readonly policy: WalletPolicy;
  readonly clock: Pick<Clock, "sleep" | "steadyMs">;
};

/** How far the shared tree is. */
export type WarmTree = {
  readonly leavesBefore: bigint;
  readonly leavesAfter: bigint;
  /** It has all leaves that the node told of. */
  readonly caughtUp: boolean;
  /** Looks at it between which it grew. */
  readonly steps: number;
  readonly seconds: number;
};

/** How far a wallet is. */
export type WarmWallet = {
  /** It is at the tip, and the shared tree has its notes: a payment computes no witness. */
  readonly ready: boolean;
  /** Unspent. */
  readonly notes: number;
  /** Leaves under the newest anchor that a payment may have; 0 for none. */
  readonly maturedLeaves: bigint;
  readonly seconds: number;
};

/** Waits for warm trees and wallets, for a bounded time and with a bounded number of callers. */
export class WarmUp {
  readonly #parts: WarmUpParts;
  #waiting = 0;
  /** Callers that keep a wallet in memory. */
  #holding = 0;

  constructor(parts: WarmUpParts) {
    this.#parts = parts;
  }

  /** Waits until the shared tree has caught up. Rejects with `run/aborted`. */
  async tree(signal: AbortSignal): Promise<WarmTree> {
    const since = this.#parts.clock.steadyMs();
    const before = this.#leaves();
    let [last, steps] = [before, 0];
    const isDone = (): boolean => {
      const now = this.#leaves();
      if (now > last) steps += 1;
      last = now;
      return this.#isCaughtUp();
    };
    await this.#placed((mayWait) => this.#until(isDone, mayWait, signal));
    return {
      leavesBefore: before,
      leavesAfter: this.#leaves(),
      caughtUp: this.#isCaughtUp(),
      steps,
      seconds: this.#secondsSince(since),
    };
  }

  /**
   * Opens a wallet and waits until it can pay, or is dropped; it stays in memory while the caller waits. Rejects as `OpenWallets.open`
   * does, and with `run/aborted`.
   */
  wallet(token: WalletToken, signal: AbortSignal): Promise<WarmWallet> {
    const { wallets, policy, clock } = this.#parts;
    const since = clock.steadyMs();
    return this.#placed(async (mayWait) => {
      const open = await abortable(wallets.open(token), signal);
      if (mayWait) await this.#untilWarm(open, signal);
      const view = open.wallet.isBegun ? spendability(open.state, policy) : null;
      return {
        ready: isWarm(open),
        notes: view?.notes.length ?? 0,
        maturedLeaves: view?.limit?.leafEnd ?? 0n,
        seconds: this.#secondsSince(since),
      };
    });
  }

  /** While somebody waits the wallet stays in memory, so those that wait have a part of the places there and no more. */
  async #untilWarm(open: OpenWallet, signal: AbortSignal): Promise<void> {
    const isDone = (): boolean => open.isClosed || isWarm(open);
    const most = this.#parts.wallets.most / WALLETD_LIMITS.warmShare;
    if (isDone() || this.#holding >= Math.max(1, Math.floor(most))) return;
    this.#holding += 1;
    const leave = open.use();
    try {
      await this.#until(isDone, true, signal);
    } finally {
      leave();
      this.#holding -= 1;
    }
  }

  #leaves(): bigint {
    const { tip, tree } = this.#parts.lanes.main;
    return tree === null ? 0n : tip.leafEnd;
  }

  #isCaughtUp(): boolean {
    const told = this.#parts.tip();
    const { tip, tree } = this.#parts.lanes.main;
    return told !== null && tree !== null && tip.blueScore >= told.sinkBlueScore;
  }

  #secondsSince(since: bigint): number {
    return Number((this.#parts.clock.steadyMs() - since) / 1_000n);
  }

  /** Counts a caller from his first step on. One too many may not wait: he is told how far it is now. */
  async #placed<T>(work: (mayWait: boolean) => Promise<T>): Promise<T> {
    const mayWait = this.#waiting < WALLETD_LIMITS.warmWaiting;
    if (!mayWait) return await work(false);
    this.#waiting += 1;
    try {
      return await work(true);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #until(isSo: () => boolean, mayWait: boolean, signal: AbortSignal): Promise<void> {
    const { clock, lanes } = this.#parts;
    if (isSo() || !mayWait) return;
    lanes.wake();
    const end = clock.steadyMs() + BigInt(WALLETD_LIMITS.warmMs);
    while (!isSo() && clock.steadyMs() < end) await clock.sleep(WALLETD_LIMITS.warmLookMs, signal);
  }
}

function isWarm(open: OpenWallet): boolean {
  return !open.isClosed && open.wallet.isBegun && open.hasTree && open.isAtTip;
}
