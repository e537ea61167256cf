/** How a job that spends ends: judged by its payments, which alone say whether money has moved. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { payeesLeft } from "@svc/shared/wallet/reduce/payeeQueue.ts";
import { whyLost } from "@svc/shared/wallet/reduce/paymentEnd.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import { isLost, isOut, type Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { SpendOrder } from "./spendOrder.ts";
import { answerTo, shortfall, type SpendOutcome } from "./spendOutcome.ts";

/** An end. */
export type JobEnd = {
  readonly outcome: SpendOutcome;
  /** Payments that were signed and may be out, and those of them that are. */
  readonly tried: number;
  readonly out: number;
};

/** What an end is judged by. */
export type JobFacts = {
  /** All payments of the job. */
  readonly payments: readonly Payment[];
  /** Transactions that were planned. */
  readonly total: number;
  readonly notesFree: number;
};

/**
 * Judges the end of a job. `reason` is what its work ended with; whatever that is, a job whose payments are all out is done.
 */
export function endOf(
  order: SpendOrder,
  { payments, total, notesFree: free }: JobFacts,
  reason: SvcError | null,
): JobEnd {
  const out = payments.filter((payment) => isOut(payment));
  const tried = payments.filter((payment) => isOut(payment) || isLost(payment));
  const counts = { tried: tried.length, out: out.length };
  if (isPaid(order, out) && tried.length === out.length) {
    const { kind, payees } = order;
    const body = answerTo({ kind, payments: out, payees: payees.length, notesFree: free });
    return { ...counts, outcome: { kind: "done", body } };
  }
  const why = whyLost(tried) ?? reason ?? unexpected("a job ended before its payments");
  const error = shortfall(tried, total, why).toJSON();
  return { ...counts, outcome: { kind: "failed", error } };
}

/**
 * The outcome of a call whose answer is no longer kept, by its repetition and its payments, `found`: null for one that is not there any
 * more. Null when none was signed: nothing came of it.
 */
export function keptOutcome(
  { kind, payees }: Pick<SpendOrder, "kind" | "payees">,
  found: readonly (Payment | null)[],
  free: number,
): SpendOutcome | null {
  const there = found.filter((payment) => payment !== null);
  const tried = there.filter((payment) => isOut(payment) || isLost(payment));
  if (tried.length === 0) return null;
  if (tried.length === found.length && tried.every((payment) => isOut(payment))) {
    const body = answerTo({ kind, payments: tried, payees: payees.length, notesFree: free });
    return { kind: "done", body };
  }
  const why = whyLost(tried) ?? new SvcError("wallet/cancelled", {});
  return { kind: "failed", error: shortfall(tried, found.length, why).toJSON() };
}

/** Notes of a wallet that nothing has spent and no payment holds; 0 while nothing is known of them. */
export function notesFree(
  { wallet }: { readonly wallet: OpenWallet["wallet"] | null },
  policy: WalletPolicy,
): number {
  if (wallet === null || !wallet.isBegun) return 0;
  return spendability(wallet.state, policy).notes.filter(({ payment }) => payment === null).length;
}

function isPaid({ kind, payees }: SpendOrder, out: readonly Payment[]): boolean {
  if (kind === "consolidate") return out.length > 0;
  const paid = out.flatMap((payment) => payment.payees);
  return payeesLeft(payees, paid).length === 0;
}

function unexpected(message: string): SvcError {
  return new SvcError("internal/unexpected", { message });
}
