/**
 * Rebroadcasts: hands signed payments to the node until a block has them, the same bytes each time, those of wallets that nobody
 * has opened since the start among them.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { duePayments } from "@svc/shared/wallet/reduce/outbox.ts";
import { broadcast } from "@svc/shared/wallet/send/broadcast.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { ClockPort, NodePort } from "@svc/shared/wallet/state/ports.ts";
import type { Log } from "../../platform/log/log.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";

/** Dependencies of the rebroadcasts. */
export type RebroadcasterParts = {
  readonly wallets: Pick<OpenWallets, "all" | "open">;
  readonly folder: Pick<WalletFolder, "list">;
  readonly store: Pick<WalletStore, "payments">;
  readonly node: Pick<NodePort, "submit">;
  readonly clock: ClockPort;
  readonly log: Log;
  /** Whether a job is at work, which broadcasts what it signs itself. */
  readonly isLive: (jobId: string) => boolean;
};

/** Looks after the payments of all wallets that are on their way. A wallet that has one stays open. */
export class Rebroadcaster {
  readonly #parts: RebroadcasterParts;

  constructor(parts: RebroadcasterParts) {
    this.#parts = parts;
  }

  /** Opens the wallets that have payments on their way. Rejects with the folder's error alone. */
  async openUnsettled(): Promise<void> {
    const { folder, store, wallets } = this.#parts;
    const tokens = await folder.list();
    const unsettled = tokens.filter((token) => store.payments.hasUnsettled(token));
    const tryOpen = (token: WalletToken): Promise<void> =>
      wallets.open(token).then(
        () => undefined,
        (thrown: unknown) => this.#warn(token, thrown),
      );
    await Promise.all(unsettled.map(tryOpen));
  }

  /** Broadcasts what is due until the signal fires; resolves then. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      await this.look(signal).catch(() => undefined);
      await clock.sleep(WALLETD_LIMITS.rebroadcastEveryMs, signal).catch(() => undefined);
    }
  }

  /** Broadcasts what is due now. Rejects with `run/aborted` alone. */
  async look(signal: AbortSignal): Promise<void> {
    for (const open of this.#parts.wallets.all) {
      if (!open.wallet.isBegun) continue;
      const leave = open.use();
      try {
        await this.#lookAt(open, signal);
      } catch (thrown) {
        throwIfAborted(signal);
        this.#warn(open.token, thrown);
      } finally {
        leave();
      }
    }
  }

  async #lookAt(open: OpenWallet, signal: AbortSignal): Promise<void> {
    const { node, clock } = this.#parts;
    const due = duePayments(open.state, clock.nowMs());
    for (const { id } of due.filter((payment) => !this.#isAtWork(payment))) {
      throwIfAborted(signal);
      await broadcast({ sync: open, node, clock }, id, signal);
    }
  }

  #isAtWork({ id, status }: Payment): boolean {
    const [jobId = ""] = id.split(":");
    return status.state === "signed" && this.#parts.isLive(jobId);
  }

  #warn(token: WalletToken, thrown: unknown): void {
    const err = SvcError.from(thrown);
    const wallet = walletLabel(token);
    this.#parts.log.warn({ wallet, err }, "payments of a wallet were not handed to the node again");
  }
}
