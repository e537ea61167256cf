/**
 * Watch round: opens the wallets that nobody has open, some after others, for a daemon with a webhook. A wallet is scanned for while
 * it is open, and a receiver that waits for webhooks alone asks for none. Each stays open until it is at the tip at least.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "./openWallet.ts";
import type { OpenWallets } from "./openWallets.ts";

/** Dependencies of the round. */
export type WatchRoundParts = {
  readonly wallets: Pick<OpenWallets, "all" | "most" | "open">;
  readonly folder: Pick<WalletFolder, "list">;
  readonly clock: Pick<Clock, "sleep" | "steadyMs">;
  readonly log: Log;
};

/** Goes round until it is stopped. */
export class WatchRound {
  readonly #parts: WatchRoundParts;
  readonly #life = new AbortController();
  #running: Promise<void> | null = null;

  constructor(parts: WatchRoundParts) {
    this.#parts = parts;
  }

  /** Begins. Harmless when repeated. */
  start(): void {
    this.#running ??= this.#run(this.#life.signal);
  }

  /** Ends the round where it is. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#running;
  }

  /** Rests as long as a round took, so that many wallets have half of the time at most. */
  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      const sinceMs = clock.steadyMs();
      try {
        await this.#round(signal);
      } catch (thrown) {
        if (!signal.aborted) log.warn({ err: SvcError.from(thrown) }, "wallets were not looked at");
      }
      const tookMs = Number(clock.steadyMs() - sinceMs);
      const restMs = Math.max(tookMs, WALLETD_LIMITS.watchRestMs);
      await clock.sleep(restMs, signal).catch(() => undefined);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { wallets, folder } = this.#parts;
    const open = new Set(wallets.all.map(({ token }) => token));
    const closed = (await folder.list()).filter((token) => !open.has(token));
    // Whoever calls finds room beside the round.
    const half = Math.max(1, Math.floor(wallets.most / 2));
    const size = Math.min(WALLETD_LIMITS.watchAtOnce, half);
    for (let from = 0; from < closed.length; from += size) {
      throwIfAborted(signal);
      const some = closed.slice(from, from + size);
      await Promise.all(some.map((token) => this.#watch(token, signal)));
    }
  }

  /** Never rejects: a wallet that cannot be opened is told of, and the others have their turn. */
  async #watch(token: WalletToken, signal: AbortSignal): Promise<void> {
    const { wallets, log } = this.#parts;
    try {
      const open = await wallets.open(token);
      const leave = open.use();
      try {
        await this.#untilAtTip(open, signal);
      } finally {
        leave();
      }
    } catch (thrown) {
      if (signal.aborted) return;
      log.warn(
        { wallet: walletLabel(token), err: SvcError.from(thrown) },
        "a wallet was not opened for the webhook",
      );
    }
  }

  /** One that is far behind is not waited for: it goes on while it is open, and the next round comes. */
  async #untilAtTip(open: OpenWallet, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const endMs = clock.steadyMs() + BigInt(WALLETD_LIMITS.watchWaitMs);
    while (!open.isClosed && clock.steadyMs() < endMs) {
      if (open.wallet.isBegun && open.isAtTip) return;
      await clock.sleep(WALLETD_LIMITS.lanePollMs, signal);
    }
  }
}
