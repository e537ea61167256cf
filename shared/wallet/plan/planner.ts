/**
 * Coin selection: chooses the notes, the anchor and the fee of a payment (specification wallet 11.1).
 *
 * The smallest single note that is enough, otherwise the largest notes first;
 * notes under the preferred anchor before all others.
 */
import { asSompi, type Sompi } from "../../base/brand.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { balances } from "./balances.ts";
import { actionCount, walletFee } from "../state/fee.ts";
import { isUnderWay, paymentAmount, type Payee, type Payment } from "../state/payment.ts";
import { retryNotes, type RetryNotes } from "./retry.ts";
import { isUnder, spendability, type Spendability } from "./spendability.ts";
import {
  sumOfNotes,
  type ChainBlock,
  type OwnNote,
  type WalletState,
} from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** A plan of a payment that the wallet can make now. `inputs = amount + fee + change`, exactly. */
export type PlannedPayment = {
  readonly payees: readonly Payee[];
  readonly notes: readonly OwnNote[];
  /** Every chosen note is a leaf of this block's tree. */
  readonly anchor: ChainBlock;
  readonly fee: Sompi;
  /** Comes back to address 0; no output is made for zero. */
  readonly change: Sompi;
};

type Choice = Pick<PlannedPayment, "notes" | "fee" | "change">;

/**
 * Plans a payment to one or more payees. Throws `wallet/too-many-payees`, `amount/zero`, and, when
 * the notes do not allow it, `wallet/too-many-notes`, `wallet/funds-maturing`, `wallet/payment-pending` or
 * `wallet/insufficient-funds`. A payment that repeats earlier ones spends a note of each, theirs before any other; it throws
 * `wallet/retry-unsafe` when it cannot.
 */
export function planPayment(
  state: WalletState,
  policy: WalletPolicy,
  payees: readonly Payee[],
  repeated: readonly Payment[] = [],
): PlannedPayment {
  if (payees.length > WALLET_LIMITS.walletPayeesMax) {
    throw new SvcError("wallet/too-many-payees", {
      count: payees.length,
      max: WALLET_LIMITS.walletPayeesMax,
    });
  }
  const view = spendability(state, policy);
  const amount = paymentAmount({ payees });
  if (amount === 0n) throw new SvcError("amount/zero", {});
  for (const anchor of [view.preferred, view.limit]) {
    if (anchor === null) continue;
    const notes = retryNotes(state, view, anchor, repeated);
    const choice = notes === null ? null : chooseNotes(notes, amount, payees.length, policy);
    if (choice !== null) return { payees, anchor, ...choice };
  }
  const [earlier] = repeated;
  if (earlier !== undefined)
    throw new SvcError("wallet/retry-unsafe", { txid: earlier.txid ?? "" });
  throw whyNot(state, policy, view, payees);
}

/** The most that one payment to one payee can carry now, and what it costs; zero when nothing can. */
export function maxSendable(
  state: WalletState,
  policy: WalletPolicy,
): { readonly amount: Sompi; readonly fee: Sompi; readonly notes: number } {
  const view = spendability(state, policy);
  const notes = view.limit === null ? [] : spendableUnder(view, view.limit).toSorted(largestFirst);
  let best = { amount: 0n, fee: 0n, notes: 0 };
  let sum = 0n;
  for (const [index, note] of notes.slice(0, policy.maxSpends).entries()) {
    sum += note.value;
    const fee = walletFee(actionCount(index + 1, 1));
    if (sum - fee > best.amount) best = { amount: sum - fee, fee, notes: index + 1 };
  }
  return { amount: asSompi(best.amount), fee: asSompi(best.fee), notes: best.notes };
}

function spendableUnder(view: Spendability, anchor: ChainBlock): readonly OwnNote[] {
  return view.notes
    .filter(({ note, standing }) => standing === "spendable" && isUnder(note, anchor))
    .map(({ note }) => note);
}

function chooseNotes(
  { usable, forced }: RetryNotes,
  amount: bigint,
  payees: number,
  policy: WalletPolicy,
): Choice | null {
  if (forced.length > policy.maxSpends) return null;
  const alone = forced.length === 0 ? null : settle(forced, amount, payees);
  if (alone !== null) return alone;
  const others = usable.filter((note) => !forced.includes(note));
  const single = others
    .toSorted(smallestFirst)
    .map((note) => settle([...forced, note].slice(0, policy.maxSpends), amount, payees))
    .find((choice) => choice !== null);
  if (single) return single;
  const chosen: OwnNote[] = [...forced];
  for (const note of others.toSorted(largestFirst).slice(0, policy.maxSpends - forced.length)) {
    chosen.push(note);
    const choice = settle(chosen, amount, payees);
    if (choice !== null) return choice;
  }
  return null;
}

/**
 * Fee and change of these notes, or null when they do not suffice. A rest too small to pay for
 * its own change output is not enough either: the fee is never more than the size demands.
 */
function settle(notes: readonly OwnNote[], amount: bigint, payees: number): Choice | null {
  const left = sumOfNotes(notes) - amount;
  const exact = walletFee(actionCount(notes.length, payees));
  if (left === exact) return { notes: [...notes], fee: exact, change: asSompi(0n) };
  const fee = walletFee(actionCount(notes.length, payees + 1));
  return left > fee ? { notes: [...notes], fee, change: asSompi(left - fee) } : null;
}

/** Larger values first; of equal ones the older. */
function largestFirst(a: OwnNote, b: OwnNote): number {
  return a.value === b.value ? olderFirst(a, b) : a.value > b.value ? -1 : 1;
}

function smallestFirst(a: OwnNote, b: OwnNote): number {
  return a.value === b.value ? olderFirst(a, b) : a.value < b.value ? -1 : 1;
}

function olderFirst(a: OwnNote, b: OwnNote): number {
  return a.position < b.position ? -1 : 1;
}

/** Why no choice of notes works. */
function whyNot(
  state: WalletState,
  policy: WalletPolicy,
  view: Spendability,
  payees: readonly Payee[],
): SvcError {
  const amount = paymentAmount({ payees });
  const { spendable, maturing, returning } = balances(state, view, []);
  const needs = (notes: readonly OwnNote[]) => needed(notes, amount, payees.length);
  const notesOf = (...standings: readonly string[]) =>
    view.notes.filter(({ standing }) => standings.includes(standing)).map(({ note }) => note);
  const now = needs(notesOf("spendable"));
  if (now.enough) {
    return new SvcError("wallet/too-many-notes", { count: now.notes, max: policy.maxSpends });
  }
  const data = { needed: formatCoins(now.sum), spendable: formatCoins(spendable) };
  if (needs(notesOf("spendable", "maturing")).enough) {
    return new SvcError("wallet/funds-maturing", { ...data, maturing: formatCoins(maturing) });
  }
  const pending = state.outbox.find((payment) => isUnderWay(payment));
  if (pending && spendable + maturing + returning >= now.sum) {
    return new SvcError("wallet/payment-pending", { txid: pending.txid ?? pending.id });
  }
  return new SvcError("wallet/insufficient-funds", data);
}

/** What a payment from these notes needs, fee included, without a bound on their number. */
function needed(
  notes: readonly OwnNote[],
  amount: bigint,
  payees: number,
): { readonly enough: boolean; readonly notes: number; readonly sum: bigint } {
  const chosen: OwnNote[] = [];
  for (const note of notes.toSorted(largestFirst)) {
    chosen.push(note);
    if (settle(chosen, amount, payees) !== null) break;
  }
  const enough = settle(chosen, amount, payees) !== null;
  const fee = walletFee(actionCount(enough ? chosen.length : 1, payees + 1));
  return { enough, notes: chosen.length, sum: amount + fee };
}
