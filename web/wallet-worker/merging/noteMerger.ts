/**
 * Background merges of an open wallet: one at a time, at moments that chance alone chooses (decision 53).
 *
 * The moments run whether merging is allowed or not, and whatever the wallet holds: only whether a transaction leaves at one of them
 * depends on its notes. A payment of the owner has the way cleared.
 */
import type { ClockPort } from "@svc/shared/wallet/state/ports.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** A wallet as far as it is merged. */
export type Mergeable = {
  /** Whether a merge may be tried now. */
  readonly isAllowed: () => boolean;
  /** Merges once. Rejects where nothing is due, and as a payment does. */
  readonly merge: (signal: AbortSignal) => Promise<unknown>;
};

/** Merges the notes of one open wallet. */
export class NoteMerger {
  readonly #clock: Pick<ClockPort, "sleep">;
  readonly #chance: () => number;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #merge: { readonly cancel: AbortController; readonly ended: Promise<void> } | null = null;

  /** `chance`: 32 bits of the system's randomness. */
  constructor(clock: Pick<ClockPort, "sleep">, chance: () => number) {
    this.#clock = clock;
    this.#chance = chance;
  }

  /** Begins with a wallet that was unlocked, in the place of the one before. */
  begin(wallet: Mergeable): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#running = this.#run(wallet, this.#stop.signal);
  }

  /** Ends; a merge that was not broadcast is cancelled. Resolves when nothing is left to do. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Makes way for a payment: cancels a merge that was not broadcast, and resolves when it has ended. */
  async clearWay(): Promise<void> {
    this.#merge?.cancel.abort();
    await this.#merge?.ended;
  }

  async #run(wallet: Mergeable, signal: AbortSignal): Promise<void> {
    const { mergeFirstLeastMs, mergeFirstMostMs } = PAGE_LIMITS;
    const { mergeEveryLeastMs, mergeEveryMostMs } = PAGE_LIMITS;
    let pauseMs = this.#between(mergeFirstLeastMs, mergeFirstMostMs);
    for (;;) {
      await this.#clock.sleep(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      pauseMs = this.#between(mergeEveryLeastMs, mergeEveryMostMs);
      if (wallet.isAllowed()) await this.#tryMerge(wallet, signal);
    }
  }

  async #tryMerge({ merge }: Mergeable, signal: AbortSignal): Promise<void> {
    const cancel = new AbortController();
    // How it ends is in the history; what stood in its way is looked at again after the pause.
    const ended = merge(AbortSignal.any([signal, cancel.signal])).then(nothing, nothing);
    this.#merge = { cancel, ended };
    await ended;
    this.#merge = null;
  }

  #between(least: number, most: number): number {
    return least + Math.floor(((most - least) * this.#chance()) / 2 ** 32);
  }
}

function nothing(): void {
  // Nobody waits for it.
}
