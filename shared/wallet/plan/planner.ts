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
import { isUnderWay, paymentAmount, type Payee, type Payment } from "../state/payment.ts";
import { holdersOf, retryNotes, type NoteHolders, type RetryNotes } from "./retry.ts";
import {
  feeOf,
  largestFirst,
  settle,
  settleSum,
  smallestFirst,
  type NoteChoice,
  type Outgoing,
} from "./settle.ts";
import { isUnder, spendability, type Spendability } from "./spendability.ts";
import {
  sumOfNotes,
  type ChainBlock,
  type OwnNote,
  type WalletState,
} from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** A plan of a payment that the wallet can make now. `inputs = amount + fee + change`, exactly. */
export type PlannedPayment = NoteChoice & {
  readonly payees: readonly Payee[];
  /** Every chosen note is a leaf of this block's tree. */
  readonly anchor: ChainBlock;
};

/** What a plan may be told beside its payees. */
export type PlanOptions = {
  /** Earlier payments that this one repeats (decision 24). */
  readonly repeated?: readonly Payment[];
  /** The least fee that the owner wants to pay; the size may demand more. */
  readonly feeFloor?: Sompi;
};

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
  options: PlanOptions = {},
): PlannedPayment {
  return planPaymentFrom(noteSource(state, policy), policy, payees, options);
}

/** The notes that a plan chooses from: looked at once for all plans that are made from them. */
export type NoteSource = {
  readonly state: WalletState;
  /** The notes of the state, or those of them that are left. */
  readonly view: Spendability;
  readonly holders: NoteHolders;
};

/** All notes of a wallet. */
export function noteSource(state: WalletState, policy: WalletPolicy): NoteSource {
  return { state, view: spendability(state, policy), holders: holdersOf(state.outbox) };
}

/** As `planPayment`, from these notes. */
export function planPaymentFrom(
  source: NoteSource,
  policy: WalletPolicy,
  payees: readonly Payee[],
  { repeated = [], feeFloor = asSompi(0n) }: PlanOptions = {},
): PlannedPayment {
  if (payees.length > WALLET_LIMITS.walletPayeesMax) {
    throw new SvcError("wallet/too-many-payees", {
      count: payees.length,
      max: WALLET_LIMITS.walletPayeesMax,
    });
  }
  const { view } = source;
  const outgoing = { amount: paymentAmount({ payees }), payees: payees.length, feeFloor };
  if (outgoing.amount === 0n) throw new SvcError("amount/zero", {});
  for (const anchor of [view.preferred, view.limit]) {
    if (anchor === null) continue;
    const notes = retryNotes(source, anchor, repeated);
    const choice = notes === null ? null : chooseNotes(notes, outgoing, policy);
    if (choice !== null) return { payees, anchor, ...choice };
  }
  const [earlier] = repeated;
  if (earlier !== undefined)
    throw new SvcError("wallet/retry-unsafe", { txid: earlier.txid ?? "" });
  throw whyNoPayment(source, policy, outgoing);
}

/** What `planPayment` throws where the notes do not make the payment in one transaction: several may. */
export const NOT_IN_ONE = [
  "wallet/too-many-notes",
  "wallet/funds-maturing",
  "wallet/payment-pending",
  "wallet/insufficient-funds",
] as const;

/** The notes that may be spent now against an anchor. */
export function spendableUnder(view: Spendability, anchor: ChainBlock): readonly OwnNote[] {
  return view.notes
    .filter(({ note, standing }) => standing === "spendable" && isUnder(note, anchor))
    .map(({ note }) => note);
}

function chooseNotes(
  { usable, forced }: RetryNotes,
  outgoing: Outgoing,
  policy: WalletPolicy,
): NoteChoice | null {
  const room = policy.maxSpends - forced.length;
  if (room < 0) return null;
  const alone = forced.length === 0 ? null : settle(forced, outgoing);
  if (alone !== null || room === 0) return alone;
  const others = usable.filter((note) => !forced.includes(note));
  const single = singleNote(others, forced, outgoing);
  if (single !== null) return settle([...forced, single], outgoing);
  const chosen: OwnNote[] = [...forced];
  for (const note of largestOf(others, room)) {
    chosen.push(note);
    const choice = settle(chosen, outgoing);
    if (choice !== null) return choice;
  }
  return null;
}

/** The smallest note that is enough beside the forced ones. */
function singleNote(
  others: readonly OwnNote[],
  forced: readonly OwnNote[],
  outgoing: Outgoing,
): OwnNote | null {
  const sum = sumOfNotes(forced);
  let best: OwnNote | null = null;
  for (const note of others) {
    if (best !== null && smallestFirst(best, note) < 0) continue;
    if (settleSum(sum + note.value, forced.length + 1, outgoing) !== null) best = note;
  }
  return best;
}

/** So many of the largest notes, in order. */
function largestOf(notes: readonly OwnNote[], count: number): readonly OwnNote[] {
  const found: OwnNote[] = [];
  for (const note of notes) {
    const last = found.at(-1);
    if (last !== undefined && found.length === count && largestFirst(last, note) < 0) continue;
    const at = found.findIndex((other) => largestFirst(note, other) < 0);
    found.splice(at < 0 ? found.length : at, 0, note);
    if (found.length > count) found.pop();
  }
  return found;
}

/** Why no choice of notes works. */
function whyNoPayment(
  { state, view }: NoteSource,
  policy: WalletPolicy,
  outgoing: Outgoing,
): SvcError {
  const needs = (...standings: readonly string[]) =>
    neededFrom(notesStanding(view, ...standings), outgoing);
  const now = needs("spendable");
  if (now.enough) {
    return new SvcError("wallet/too-many-notes", { count: now.notes, max: policy.maxSpends });
  }
  return lackOfFunds(state, view, now.sum, needs("spendable", "maturing").enough);
}

/** The unspent notes of these standings. */
export function notesStanding(
  { notes }: Spendability,
  ...standings: readonly string[]
): readonly OwnNote[] {
  return notes.filter(({ standing }) => standings.includes(standing)).map(({ note }) => note);
}

/**
 * The error of a payment that needs more than can be spent now, fees included. `enoughMatured`: together with the notes that
 * mature it would be enough.
 */
export function lackOfFunds(
  state: WalletState,
  view: Spendability,
  needed: bigint,
  enoughMatured: boolean,
): SvcError {
  const { spendable, maturing, returning } = balances(state, view, []);
  const data = { needed: formatCoins(needed), spendable: formatCoins(spendable) };
  if (enoughMatured) {
    return new SvcError("wallet/funds-maturing", { ...data, maturing: formatCoins(maturing) });
  }
  const pending = state.outbox.find((payment) => isUnderWay(payment));
  if (pending && spendable + maturing + returning >= needed) {
    return new SvcError("wallet/payment-pending", { txid: pending.txid ?? pending.id });
  }
  return new SvcError("wallet/insufficient-funds", data);
}

/** What a payment from these notes needs, fee included, without a bound on their number. */
function neededFrom(
  notes: readonly OwnNote[],
  outgoing: Outgoing,
): { readonly enough: boolean; readonly notes: number; readonly sum: bigint } {
  const { amount, payees, feeFloor } = outgoing;
  let count = 0;
  let sum = 0n;
  let enough = false;
  for (const { value } of notes.toSorted(largestFirst)) {
    count += 1;
    sum += value;
    enough = settleSum(sum, count, outgoing) !== null;
    if (enough) break;
  }
  const fee = feeOf(enough ? count : 1, payees + 1, feeFloor);
  return { enough, notes: count, sum: amount + fee };
}
