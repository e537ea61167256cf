/**
 * Background consolidation: merges the oldest notes of custodial wallets that hold too many, one merge at a time, so that payments
 * stay small.
 *
 * It makes way: for a payment of the same wallet at once, which cancels a merge that is not signed, and for whoever waits for a
 * proof. What one wallet does holds up no other one.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { planConsolidation } from "@svc/shared/wallet/plan/planConsolidation.ts";
import { withoutUnsent } from "@svc/shared/wallet/reduce/paymentParts.ts";
import { payReserved } from "@svc/shared/wallet/send/payReserved.ts";
import {
  reserveAll,
  tipToPayAt,
  type NumberedPayment,
} from "@svc/shared/wallet/send/reservePayment.ts";
import { unspentNotes } from "@svc/shared/wallet/state/walletState.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { OpenWallets } from "../wallets/openWallets.ts";
import { payPartsOf, provePlanAtTurn, reservePlace, type PayTools } from "./payTools.ts";

/** Dependencies of the consolidation. */
export type ConsolidatorParts = {
  readonly tools: PayTools;
  readonly wallets: Pick<OpenWallets, "all">;
  /** Whether a wallet has calls that spend. */
  readonly isPaying: (token: WalletToken) => boolean;
  readonly clock: Pick<Clock, "steadyMs" | "sleep">;
  readonly log: Log;
  /** 16 random bytes as hex. */
  readonly newId: () => string;
  /** Notes above which a wallet is merged. */
  readonly above: number;
};

/** What the ids of merges begin with, and of nothing else. */
const MERGES = "merge";

type Merge = {
  readonly token: WalletToken;
  readonly cancel: AbortController;
  readonly ended: Promise<void>;
};

/** Merges notes in the background. */
export class Consolidator {
  readonly #parts: ConsolidatorParts;
  readonly #restUntilMs = new WeakMap<OpenWallet, bigint>();
  #merge: Merge | null = null;

  constructor(parts: ConsolidatorParts) {
    this.#parts = parts;
  }

  /** Merges until the signal fires; resolves then. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, wallets } = this.#parts;
    while (!signal.aborted) {
      for (const open of wallets.all) await this.look(open, signal);
      await clock.sleep(WALLETD_LIMITS.consolidateLookMs, signal).catch(() => undefined);
    }
  }

  /** Makes way for a payment: ends a merge of this wallet, unless it is signed, and resolves when it has ended. */
  async clearWay(token: WalletToken): Promise<void> {
    const merge = this.#merge;
    if (merge?.token !== token) return;
    merge.cancel.abort();
    await merge.ended;
  }

  /** Merges notes of a wallet once, if it is time to. Resolves when that is over, well or not. */
  async look(open: OpenWallet, signal: AbortSignal): Promise<void> {
    if (this.#merge !== null || signal.aborted || !this.#isDue(open)) return;
    const cancel = new AbortController();
    const stop = (): void => cancel.abort();
    signal.addEventListener("abort", stop, { once: true });
    const leave = open.use();
    const ended = this.#tryMerge(open, cancel.signal).finally(() => {
      this.#merge = null;
      signal.removeEventListener("abort", stop);
      leave();
    });
    this.#merge = { token: open.token, cancel, ended };
    await ended;
  }

  #isDue(open: OpenWallet): boolean {
    const { tools, isPaying, clock, above } = this.#parts;
    if (open.facts.kind !== "seed" || !open.wallet.isBegun) return false;
    if (clock.steadyMs() < (this.#restUntilMs.get(open) ?? 0n)) return false;
    if (isPaying(open.token) || tools.proofs.waiting > 0) return false;
    return unspentNotes(open.state).length > above;
  }

  async #tryMerge(open: OpenWallet, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let pauseMs: bigint = WALLETD_LIMITS.consolidateEveryMs;
    try {
      await this.#mergeOnce(open, signal);
    } catch (thrown) {
      const { code } = SvcError.from(thrown);
      if (!signal.aborted) pauseMs = WALLETD_LIMITS.consolidateIdleMs;
      log.debug({ wallet: walletLabel(open.token), code }, "a merge of notes was not made");
      await open.hold((state) => withoutUnsent(state, MERGES)).catch(() => undefined);
    }
    this.#restUntilMs.set(open, clock.steadyMs() + pauseMs);
  }

  async #mergeOnce(open: OpenWallet, signal: AbortSignal): Promise<void> {
    const { tools } = this.#parts;
    const payment = await open.spending.run(async () => {
      throwIfAborted(signal);
      return this.#reserve(open);
    });
    const plan = provePlanAtTurn(tools, open, payment);
    const parts = payPartsOf(tools, open);
    await payReserved(parts, { id: payment.id, plan }, () => undefined, signal);
  }

  #reserve(open: OpenWallet): NumberedPayment {
    const { tools, newId } = this.#parts;
    tipToPayAt(open);
    const { text: address } = open.keys.address;
    const request = { address, feeFloor: asSompi(0n), order: "oldest" } as const;
    let made: readonly NumberedPayment[] = [];
    open.updateWith((_, before) => {
      // A merge that a former run of the program did not sign is over.
      const state = withoutUnsent(before, MERGES);
      const planned = planConsolidation(state, tools.policy, request);
      const place = reservePlace(tools, open, state);
      const next = reserveAll(place, [planned], () => `${MERGES}:${newId()}`);
      made = next.payments;
      return next.state;
    });
    const [payment] = made;
    if (payment === undefined) throw new TypeError("a change runs at once");
    return payment;
  }
}
