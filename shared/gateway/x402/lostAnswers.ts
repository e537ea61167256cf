/**
 * Whom a paywall asked for, and had no answer about: the facilitator may have written down that he was told. The same one, asking again,
 * is told the same; another one would hear that the payment was used, and its payer would have paid for nothing.
 */
import { LruMap } from "../../base/lruMap.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import type { PaywallPayment, PaywallPort } from "./paywallPort.ts";

type Answer = Awaited<ReturnType<PaywallPort["settle"]>>;

/** The callers of one paywall whose answers were lost, by challenge. They are in memory alone. */
export class LostAnswers {
  readonly #callers = new LruMap<string, readonly string[]>(
    MERCHANT_LIMITS.lostAnswers,
    ({ length }) => length,
  );

  /** Takes those of a challenge: of requests at the same moment one has them. */
  take(challenge: string): readonly string[] {
    const callers = this.#callers.get(challenge) ?? [];
    this.#callers.delete(challenge);
    return callers;
  }

  /**
   * Settles a payment for a new caller, or for those that were taken, until one of them is the first that was told. Rejects as
   * `PaywallPort.settle`; those that have no answer then are kept.
   */
  async settle(
    port: Pick<PaywallPort, "settle">,
    payment: PaywallPayment,
    taken: readonly string[],
  ): Promise<Answer> {
    const [caller = crypto.randomUUID(), ...others] = taken;
    // Whoever goes away now has paid all the same.
    const { signal } = new AbortController();
    let answer: Answer;
    try {
      answer = await port.settle(payment, caller, signal);
    } catch (error) {
      this.#keep(payment, [caller, ...others]);
      throw error;
    }
    if (!answer.success) this.#keep(payment, taken);
    const isUsed = answer.success && answer.extra?.replayed !== false;
    return isUsed && others.length > 0 ? this.settle(port, payment, others) : answer;
  }

  /** One challenge keeps few: requests at the same moment with one payment, each without an answer. */
  #keep({ requirements }: PaywallPayment, callers: readonly string[]): void {
    if (callers.length === 0) return;
    const { challenge } = requirements.extra;
    const all = [...(this.#callers.get(challenge) ?? []), ...callers];
    this.#callers.set(challenge, all.slice(0, MERCHANT_LIMITS.lostAnswersEach));
  }
}
