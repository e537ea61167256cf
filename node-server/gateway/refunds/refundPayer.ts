/**
 * Pays refunds that merchants approved, by a wallet of each. Every question to a wallet is written down before it is asked and bears the
 * refund's own idempotency key: after a lost answer or a crash the same wallet is asked the same again, and pays nothing more.
 *
 * One refund of a merchant is under way at once; a wallet that hangs holds up no other merchant.
 */
import {
  asSompi,
  asTimestampMs,
  type MerchantId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { RefundDesk } from "../desk/refundDesk.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { DueRefund } from "../store/refundTable.ts";
import { payoutAnswer } from "./payoutAnswer.ts";
import type { PayoutWallet } from "./payoutWallet.ts";

/** Dependencies. */
export type RefundPayerParts = {
  readonly refunds: Pick<RefundDesk, "find" | "change" | "due" | "nextDueMs">;
  /** The wallet that pays a refund; null where its merchant has named none: his refunds wait. */
  readonly walletOf: (refund: DueRefund) => PayoutWallet | null;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  readonly log: Pick<Log, "error">;
};

/** The payer of a gateway. */
export class RefundPayer {
  readonly #parts: RefundPayerParts;
  readonly #life = new AbortController();
  /** Merchants with a refund under way. */
  readonly #busy = new Map<MerchantId, Promise<void>>();
  #run: Promise<void> | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor(parts: RefundPayerParts) {
    this.#parts = parts;
  }

  /** Begins to pay. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** A refund may be due earlier than it was. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Does everything that is due now; for who pays without a loop. Rejects with `store/…`. */
  async drain(): Promise<void> {
    for (;;) {
      this.#begin(this.#life.signal);
      if (this.#busy.size === 0) return;
      await Promise.all(this.#busy.values());
    }
  }

  /** Breaks off what is under way, and ends. What was asked is asked again at the next start. */
  async stop(): Promise<void> {
    this.#life.abort();
    this.#wake();
    await this.#run;
    await Promise.all(this.#busy.values());
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#woken = false;
      try {
        this.#begin(signal);
      } catch (thrown) {
        this.#parts.log.error({ err: SvcError.from(thrown) }, "refunds were not looked at");
      }
      await this.#pause(signal);
    }
  }

  /** Begins with what is due, one of each merchant. */
  #begin(signal: AbortSignal): void {
    const { refunds, walletOf, clock } = this.#parts;
    if (signal.aborted) return;
    const waiting = new Set<MerchantId>();
    for (const due of refunds.due(clock.nowMs())) {
      const { merchant, id } = due;
      if (this.#busy.size >= GATEWAY_LIMITS.refundsAtOnce) return;
      if (this.#busy.has(merchant) || waiting.has(merchant)) continue;
      const wallet = walletOf(due);
      if (wallet === null) {
        waiting.add(merchant);
        continue;
      }
      const work = this.#work(refunds.find(id), wallet, signal).finally(() => {
        this.#busy.delete(merchant);
        this.wake();
      });
      this.#busy.set(merchant, work);
    }
  }

  /** Never rejects. What cannot be written down is asked again, after a while. */
  async #work(refund: Refund, wallet: PayoutWallet, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      if (refund.state === "sent") await this.#confirm(refund, wallet, signal);
      else await this.#pay(refund, wallet, signal);
    } catch (thrown) {
      if (signal.aborted) return;
      log.error({ err: SvcError.from(thrown) }, "what became of a refund was not written down");
      await clock.sleep(GATEWAY_LIMITS.refundRetryFirstMs, signal).catch(() => undefined);
    }
  }

  async #pay(refund: Refund, wallet: PayoutWallet, signal: AbortSignal): Promise<void> {
    const { refunds } = this.#parts;
    const { id, amount } = refund.terms;
    const asked = await this.#ask(refund, wallet, signal);
    if (asked === null) return;
    const { address, maxFee } = asked;
    if (address === null || maxFee === null) throw new TypeError("a refund without an address");
    let answer: RefundInput;
    try {
      const order = { key: `refund-${id}`, to: address, amount, maxFee };
      const txids = await wallet.pay(order, signal);
      answer = { kind: "paid", txids, dueMs: this.#inMs(GATEWAY_LIMITS.refundRetryFirstMs) };
    } catch (thrown) {
      if (signal.aborted) return;
      answer = payoutAnswer(SvcError.from(thrown), amount, this.#nextTry(refund));
    }
    await refunds.change(id, answer);
  }

  /** Writes down that a wallet is asked; resolves with null where it is not to be asked now. */
  async #ask(refund: Refund, wallet: PayoutWallet, signal: AbortSignal): Promise<Refund | null> {
    const { refunds } = this.#parts;
    const { id } = refund.terms;
    let input: RefundInput;
    try {
      const name = await wallet.name(signal);
      const held = await this.#held(refund, name, wallet, signal);
      if (held === null) {
        const maxFee = asSompi(GATEWAY_LIMITS.refundFeeMax);
        return await refunds.change(id, { kind: "ask", wallet: name, maxFee });
      }
      input = held;
    } catch (thrown) {
      if (signal.aborted) return null;
      const error = SvcError.from(thrown);
      // Its merchant was quicker, and cancelled it.
      if (SvcError.is(error, "gateway/refund-state")) return null;
      input = { kind: "later", error: error.toJSON(), dueMs: this.#nextTry(refund) };
    }
    await refunds.change(id, input);
    return null;
  }

  /** What is to be written of a payment that waits for the wallet's owner; null where it does not, or does no longer. */
  async #held(
    refund: Refund,
    name: string,
    wallet: PayoutWallet,
    signal: AbortSignal,
  ): Promise<RefundInput | null> {
    const { attempt, error } = refund;
    if (attempt === null || attempt.job === null || attempt.wallet !== name) return null;
    try {
      const job = await wallet.job(attempt.job, signal);
      if (job === "waiting") return { kind: "later", error, dueMs: this.#nextTry(refund) };
      if (job === "begun") return null;
      const denied = new SvcError("wallet/cancelled", {}).toJSON();
      return { kind: "failed", error: denied, moved: asSompi(0n), txids: [] };
    } catch (thrown) {
      if (SvcError.is(thrown, "wallet/no-job")) return null;
      throw thrown;
    }
  }

  /** Looks how deep the payment is. */
  async #confirm(refund: Refund, wallet: PayoutWallet, signal: AbortSignal): Promise<void> {
    const { id, requiredBlueScore } = refund.terms;
    const dueMs = this.#nextTry(refund);
    let input: RefundInput = { kind: "later", error: null, dueMs };
    try {
      const depth = await wallet.depth(refund.txids, signal);
      if (depth !== null && depth >= requiredBlueScore) input = { kind: "confirmed" };
    } catch (thrown) {
      if (signal.aborted) return;
      input = { kind: "later", error: SvcError.from(thrown).toJSON(), dueMs };
    }
    await this.#parts.refunds.change(id, input);
  }

  /** Each pause is twice the one before it. */
  #nextTry({ tries }: Refund): TimestampMs {
    const { refundRetryFirstMs: first, refundRetryLongestMs: longest } = GATEWAY_LIMITS;
    return this.#inMs(Math.min(longest, first * 2 ** Math.min(tries, 30)));
  }

  #inMs(ms: number): TimestampMs {
    return asTimestampMs(this.#parts.clock.nowMs() + BigInt(ms));
  }

  async #pause(signal: AbortSignal): Promise<void> {
    if (this.#woken || signal.aborted) return;
    const over = new AbortController();
    this.#wake = () => over.abort();
    await this.#parts.clock.sleep(this.#idleMs(), over.signal).catch(() => undefined);
    this.#wake = () => undefined;
  }

  /** Until the next refund is due, and never for long: merchants name wallets meanwhile. */
  #idleMs(): number {
    const { refunds, clock } = this.#parts;
    const longest = GATEWAY_LIMITS.refundLookMs;
    try {
      const now = clock.nowMs();
      const next = refunds.nextDueMs(now);
      return next === null ? longest : Math.min(longest, Number(next - now));
    } catch {
      return longest;
    }
  }
}
