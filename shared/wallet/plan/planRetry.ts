/**
 * Plans a payment over several transactions beside earlier tries of it that seem to have failed and may still go through (decision
 * 24).
 *
 * Every transaction shares a note with each earlier try that pays one of its payees, so at most one of the two is ever applied. One
 * case needs no note: an earlier transaction of the plan shares one with that try and pays the payee at least as much. Where the try goes
 * through in its place, the payee has no more than was meant.
 */
import { asSompi, type Nullifier, type RawAddress, type Sompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { paymentAmount, type Payee, type Payment } from "../state/payment.ts";
import type { OwnNote, WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { planPayment, type PlannedPayment } from "./planner.ts";
import { payeesLeft, planTransfer, type TransferRequest } from "./planTransfer.ts";
import { failedTries, retryNotes, type RetryNotes } from "./retry.ts";
import { feeOf, largestFirst } from "./settle.ts";
import { spendability } from "./spendability.ts";

/** A transaction as far as earlier tries look at it. */
type Rival = { readonly payees: readonly Payee[]; readonly nullifiers: ReadonlySet<Nullifier> };

/** What is left to plan, and what was planned before it. */
type Rest = {
  readonly state: WalletState;
  readonly policy: WalletPolicy;
  readonly payees: readonly Payee[];
  readonly feeFloor: Sompi;
  readonly tries: readonly Payment[];
  readonly made: readonly Rival[];
};

/**
 * Plans the transactions of a request as `planTransfer` does, which plans all of it where no try failed. `own` are transactions of the
 * same call that are out. Throws as `planTransfer` does, and `wallet/retry-unsafe` where an earlier try has no note that can be spent now.
 */
export function planRetry(
  state: WalletState,
  policy: WalletPolicy,
  request: TransferRequest,
  own: readonly Payment[] = [],
): readonly PlannedPayment[] {
  const { payees, feeFloor, mode } = request;
  const tries = failedTries(state, payees);
  if (tries.length === 0) return planTransfer(state, policy, request);
  if (mode === "one") return [planPayment(state, policy, payees, { feeFloor, repeated: tries })];
  if (paymentAmount(request) === 0n) throw new SvcError("amount/zero", {});
  const planned: PlannedPayment[] = [];
  let rest: Rest = { state, policy, payees, feeFloor, tries, made: own.map(rivalOfPayment) };
  while (rest.payees.length > 0 && openTries(rest, rest.payees).length > 0) {
    const next = planNext(rest);
    planned.push(next);
    if (mode === "part") return planned;
    rest = restAfter(rest, next);
  }
  if (rest.payees.length === 0) return planned;
  const others = planTransfer(withoutTries(rest), policy, { ...request, payees: rest.payees });
  return mode === "part" ? others : [...planned, ...others];
}

/** As many whole payments as one transaction makes, else a part of the first. */
function planNext(rest: Rest): PlannedPayment {
  const { state, policy, payees, feeFloor } = rest;
  const most = Math.min(payees.length, WALLET_LIMITS.walletPayeesMax);
  for (let count = most; count >= 1; count = Math.floor(count / 2)) {
    const some = payees.slice(0, count);
    try {
      return planPayment(state, policy, some, { feeFloor, repeated: openTries(rest, some) });
    } catch (error) {
      if (!SvcError.is(error, ...NOT_IN_ONE)) throw error;
    }
  }
  const part = planPart(rest);
  if (part !== null) return part;
  throw whyNot(rest);
}

const NOT_IN_ONE = [
  "amount/zero",
  "wallet/retry-unsafe",
  "wallet/too-many-notes",
  "wallet/funds-maturing",
  "wallet/payment-pending",
  "wallet/insufficient-funds",
] as const;

/** A transaction that pays a part of the first payment, without change: notes of the tries first, then the largest. */
function planPart(rest: Rest): PlannedPayment | null {
  const { state, policy, feeFloor } = rest;
  const [first] = rest.payees;
  if (first === undefined) return null;
  const tries = openTries(rest, [first]);
  const view = spendability(state, policy);
  for (const anchor of [view.preferred, view.limit]) {
    const found = anchor === null ? null : retryNotes(state, view, anchor, tries);
    if (anchor === null || found === null) continue;
    const notes = notesInOrder(found, tries).slice(0, policy.maxSpends);
    let best = { count: 0, room: 0n };
    let sum = 0n;
    for (const [index, { value }] of notes.entries()) {
      sum += value;
      const room = sum - feeOf(index + 1, 1, feeFloor);
      const isPart = index + 1 >= found.forced.length && room < first.value;
      if (isPart && room > best.room) best = { count: index + 1, room };
    }
    if (best.room === 0n) continue;
    const fee = feeOf(best.count, 1, feeFloor);
    const part = { ...first, value: asSompi(best.room) };
    const chosen = notes.slice(0, best.count);
    return { payees: [part], anchor, notes: chosen, fee, change: asSompi(0n) };
  }
  return null;
}

function notesInOrder(
  { usable, forced }: RetryNotes,
  tries: readonly Payment[],
): readonly OwnNote[] {
  const held = new Set(tries.flatMap((payment) => [...rivalOfPayment(payment).nullifiers]));
  const others = usable.filter((note) => !forced.includes(note)).toSorted(largestFirst);
  const isHeld = ({ nullifier }: OwnNote): boolean => held.has(nullifier);
  return [...forced, ...others.filter(isHeld), ...others.filter((note) => !isHeld(note))];
}

/** The tries that pay one of these payees and whose place nothing takes yet. */
function openTries(
  { tries, made }: Pick<Rest, "tries" | "made">,
  payees: readonly Payee[],
): readonly Payment[] {
  const recipients = new Set(payees.filter(({ own }) => !own).map(({ recipient }) => recipient));
  return tries.filter((tried) =>
    tried.payees.some(({ recipient }) => {
      if (!recipients.has(recipient)) return false;
      const value = valueTo(tried, recipient);
      return !made.some((one) => shares(one, tried) && valueTo(one, recipient) >= value);
    }),
  );
}

function valueTo({ payees }: Pick<Rival, "payees">, to: RawAddress): bigint {
  return payees.reduce((sum, { recipient, value }) => (recipient === to ? sum + value : sum), 0n);
}

function shares({ nullifiers }: Rival, { reserved }: Payment): boolean {
  return reserved.some(({ nullifier }) => nullifiers.has(nullifier));
}

function rivalOfPayment({ payees, reserved }: Payment): Rival {
  return { payees, nullifiers: new Set(reserved.map(({ nullifier }) => nullifier)) };
}

/** No transaction takes a note of another one. */
function restAfter(rest: Rest, { payees, notes }: PlannedPayment): Rest {
  const nullifiers = new Set(notes.map(({ nullifier }) => nullifier));
  const left = rest.state.notes.filter(({ nullifier }) => !nullifiers.has(nullifier));
  return {
    ...rest,
    state: { ...rest.state, notes: left },
    payees: payeesLeft(rest.payees, payees),
    made: [...rest.made, { payees, nullifiers }],
  };
}

/** Their places are taken: what is left of their notes may be spent. */
function withoutTries({ state, tries }: Rest): WalletState {
  return { ...state, outbox: state.outbox.filter((payment) => !tries.includes(payment)) };
}

/** The tries stand in the way, or there is not money or not notes enough for what is left, whoever holds them. */
function whyNot(rest: Rest): SvcError {
  const { state, policy, payees, feeFloor } = rest;
  const view = spendability(state, policy);
  const tries = openTries(rest, payees.slice(0, 1));
  const isFree = [view.preferred, view.limit].some(
    (anchor) => anchor !== null && retryNotes(state, view, anchor, tries) !== null,
  );
  if (isFree) {
    try {
      planTransfer(withoutTries(rest), policy, { payees, feeFloor, mode: "many" });
    } catch (error) {
      if (error instanceof SvcError) return error;
      throw error;
    }
  }
  return new SvcError("wallet/retry-unsafe", { txid: tries[0]?.txid ?? "" });
}
