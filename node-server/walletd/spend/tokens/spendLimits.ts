/**
 * Limits of scoped tokens: who may be paid, how much may leave the wallet on a day, and what its owner wants to see first.
 *
 * A day's sum is charged in the commit that makes the job, so two calls at once cannot both have the rest of it, and is given
 * back as far as the job comes to nothing.
 */
import { asSompi, type RawAddress, type Sompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isLost, isOut, type Payment } from "@svc/shared/wallet/state/payment.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { StoreBatch } from "../../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../../store/walletStore.ts";
import type { Access, ScopedAccess } from "./tokenBook.ts";

/** Who pays: a wallet, by its own token or a scoped one. */
export type Payer = Pick<Access, "token" | "scoped">;

/** A payee as far as limits look at him. */
export type LimitedPayee = {
  readonly recipient: RawAddress;
  /** The wallet's own address, which every token may pay. */
  readonly own: boolean;
};

/** A payment before it is made. */
export type LimitedSpend = {
  readonly payees: readonly LimitedPayee[];
  /** All that leaves the wallet, fees among it. */
  readonly sompi: Sompi;
};

/** What leaves a wallet for others: payments to its own addresses stay. */
export function leavingSompi(
  payees: readonly { readonly value: bigint; readonly own: boolean }[],
): bigint {
  return payees.reduce((sum, { value, own }) => (own ? sum : sum + value), 0n);
}

/** What left the wallet with payments, or may have, fees among it: those that were refused may still go through. */
export function spentBy(payments: readonly Payment[]): Sompi {
  const tried = payments.filter((payment) => isOut(payment) || isLost(payment));
  return asSompi(tried.reduce((sum, { payees, fee }) => sum + leavingSompi(payees) + fee, 0n));
}

const DAY_MS = 86_400_000n;

/** The limits of all tokens. Throws `store/…` besides what is said. */
export class SpendLimits {
  readonly #store: Pick<WalletStore, "charges" | "tokens">;
  readonly #clock: Pick<Clock, "nowMs">;

  constructor(store: Pick<WalletStore, "charges" | "tokens">, clock: Pick<Clock, "nowMs">) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Checks a payment and charges nothing; tells whether the owner has to approve it. Throws `wallet/payee-not-allowed` with the
   * payee's place from 0, `wallet/day-limit`.
   */
  check(
    { scoped }: Pick<Access, "scoped">,
    { payees, sompi }: LimitedSpend,
  ): { readonly needsApproval: boolean } {
    if (scoped === null) return { needsApproval: false };
    const { limits, hash } = scoped;
    if (limits.payees !== null) {
      const allowed = new Set(limits.payees);
      const payee = payees.findIndex(({ recipient, own }) => !own && !allowed.has(recipient));
      if (payee >= 0) throw new SvcError("wallet/payee-not-allowed", { payee });
    }
    const { spent } = this.#today(hash);
    checkDay(limits.daySompi, spent, sompi);
    return { needsApproval: this.needsApproval(scoped, sompi) };
  }

  /** Whether the owner has to approve that so much leaves the wallet, fees among it. */
  needsApproval(scoped: ScopedAccess | null, sompi: Sompi): boolean {
    const above = scoped?.limits.approvalAboveSompi ?? null;
    return above !== null && sompi > above;
  }

  /**
   * Charges a job in the commit that makes it, or changes its charge once its fee is known. The owner is never charged. A token that
   * was forgotten begins nothing; what it began goes on, and is not charged again: nobody has its sum any more. Throws
   * `api/unknown-token`, `wallet/day-limit`, and then the commit must not happen.
   */
  charge(batch: StoreBatch, { token, scoped }: Payer, jobId: string, sompi: Sompi): void {
    if (scoped === null) return;
    const { hash, limits } = scoped;
    const before = this.#store.charges.get(token, jobId, batch);
    if (!this.#store.tokens.has(hash, batch)) {
      if (before === undefined) throw new SvcError("api/unknown-token", {});
      return;
    }
    if (before !== undefined) this.#store.charges.set(batch, token, jobId, null);
    const { day, spent } = this.#today(hash, batch);
    checkDay(limits.daySompi, spent, sompi);
    this.#store.charges.set(batch, token, jobId, { hash, day, sompi });
  }

  /** Lowers what a job is charged with to what it has spent: 0 when it came to nothing. Does nothing for one that was not charged. */
  refund(batch: StoreBatch, token: string, jobId: string, spent: Sompi = asSompi(0n)): void {
    const charge = this.#store.charges.get(token, jobId, batch);
    if (charge === undefined || charge.sompi <= spent) return;
    const isGone = spent === 0n || !this.#store.tokens.has(charge.hash, batch);
    const rest = isGone ? null : { ...charge, sompi: spent };
    this.#store.charges.set(batch, token, jobId, rest);
  }

  /** The day by the calendar, or the last one that was charged where a clock was set back: no day begins anew. */
  #today(hash: string, batch?: StoreBatch): { readonly day: bigint; readonly spent: Sompi } {
    const today = this.#clock.nowMs() / DAY_MS;
    const last = this.#store.charges.lastDay(hash, batch);
    if (last === null || last.day < today) return { day: today, spent: asSompi(0n) };
    return { day: last.day, spent: last.sompi };
  }
}

function checkDay(limit: Sompi | null, spent: Sompi, asked: Sompi): void {
  if (limit !== null && spent + asked > limit) {
    throw new SvcError("wallet/day-limit", { limit, spent, asked });
  }
}
