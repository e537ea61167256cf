/**
 * Plans a payment over several transactions beside earlier tries of it that seem to have failed and may still go through (decision
 * 24).
 *
 * Every transaction shares a note with each earlier try that pays one of its payees, so at most one of the two is ever applied. One
 * case needs no note: an earlier transaction of the plan takes the place of that try (`OpenTries`). Whichever transactions a chain
 * applies, nobody has more than was meant.
 */
import { asSompi, type Nullifier } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { paymentAmount, type Payment } from "../state/payment.ts";
import type { OwnNote, WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { OpenTries } from "./openTries.ts";
import {
  NOT_IN_ONE,
  noteSource,
  planPaymentFrom,
  type NoteSource,
  type PlannedPayment,
} from "./planner.ts";
import { payeesLeft } from "../reduce/payeeQueue.ts";
import { planTransfer, type TransferRequest } from "./planTransfer.ts";
import { failedTries, retryNotes, type RetryNotes } from "./retry.ts";
import { feeOf, largestFirst } from "./settle.ts";

/** What is left to plan. */
type Rest = NoteSource &
  Pick<TransferRequest, "payees" | "feeFloor"> & {
    readonly policy: WalletPolicy;
    readonly tries: readonly Payment[];
    /** The tries whose place nothing takes that was planned so far. */
    readonly open: OpenTries;
  };

/** Options of a plan beside its request. */
export type RetryOptions = {
  /** Transactions of the same call that are out. */
  readonly own?: readonly Payment[];
  /** The earlier tries; where nothing is said, `failedTries`. */
  readonly tries?: readonly Payment[];
};

/**
 * Plans the transactions of a request as `planTransfer` does, which plans all of it where there is no earlier try. Throws as
 * `planTransfer` does, and `wallet/retry-unsafe` where an earlier try has no note that can be spent now.
 */
export function planRetry(
  state: WalletState,
  policy: WalletPolicy,
  request: TransferRequest,
  { own = [], tries = failedTries(state, request.payees) }: RetryOptions = {},
): readonly PlannedPayment[] {
  const { payees, feeFloor, mode } = request;
  if (tries.length === 0) return planTransfer(state, policy, request);
  const source = noteSource(state, policy);
  if (mode === "one")
    return [planPaymentFrom(source, policy, payees, { feeFloor, repeated: tries })];
  if (paymentAmount(request) === 0n) throw new SvcError("amount/zero", {});
  const planned: PlannedPayment[] = [];
  const open = new OpenTries(tries);
  for (const payment of own) open.take({ payees: payment.payees, notes: payment.reserved });
  let rest: Rest = { ...source, policy, payees, feeFloor, tries, open };
  while (open.hasAny(rest.payees)) {
    const next = planNext(rest);
    open.take(next);
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
  const { policy, payees, feeFloor, open } = rest;
  const most = Math.min(payees.length, WALLET_LIMITS.walletPayeesMax);
  for (let count = most; count >= 1; count = Math.floor(count / 2)) {
    const some = payees.slice(0, count);
    try {
      return planPaymentFrom(rest, policy, some, { feeFloor, repeated: open.of(some) });
    } catch (error) {
      if (!SvcError.is(error, ...NOT_NOW)) throw error;
    }
  }
  const part = planPart(rest);
  if (part !== null) return part;
  throw whyNoRetry(rest);
}

const NOT_NOW = ["amount/zero", "wallet/retry-unsafe", ...NOT_IN_ONE] as const;

/** A transaction that pays a part of the first payment, without change: notes of the tries first, then the largest. */
function planPart(rest: Rest): PlannedPayment | null {
  const { view, policy, feeFloor, open } = rest;
  const [first] = rest.payees;
  if (first === undefined) return null;
  const tries = open.of([first]);
  for (const anchor of [view.preferred, view.limit]) {
    const found = anchor === null ? null : retryNotes(rest, anchor, tries);
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

/** The notes of one try after the other: as many tries as can be keep some for the transactions that come later. */
function notesInOrder(
  { usable, forced }: RetryNotes,
  tries: readonly Payment[],
): readonly OwnNote[] {
  const places = new Map<Nullifier, number>();
  for (const [place, { reserved }] of tries.entries()) {
    for (const { nullifier } of reserved) {
      if (!places.has(nullifier)) places.set(nullifier, place);
    }
  }
  const placeOf = ({ nullifier }: OwnNote): number => places.get(nullifier) ?? tries.length;
  const others = usable.filter((note) => !forced.includes(note));
  return [...forced, ...others.toSorted((a, b) => placeOf(a) - placeOf(b) || largestFirst(a, b))];
}

/** No transaction takes a note of another one. */
function restAfter(rest: Rest, { payees, notes }: PlannedPayment): Rest {
  const taken = new Set(notes.map(({ nullifier }) => nullifier));
  const left = rest.view.notes.filter(({ note }) => !taken.has(note.nullifier));
  return {
    ...rest,
    view: { ...rest.view, notes: left },
    payees: payeesLeft(rest.payees, payees),
  };
}

/** Their places are taken: what is left of their notes may be spent. */
function withoutTries({ state, view, tries }: Rest): WalletState {
  const gone = new Set(tries);
  const outbox = state.outbox.filter((payment) => !gone.has(payment));
  return { ...state, notes: view.notes.map(({ note }) => note), outbox };
}

/** The tries stand in the way, or there is not money or not notes enough for what is left, whoever holds them. */
function whyNoRetry(rest: Rest): SvcError {
  const { view, policy, payees, feeFloor, open } = rest;
  const tries = open.of(payees.slice(0, 1));
  const isFree = [view.preferred, view.limit].some(
    (anchor) => anchor !== null && retryNotes(rest, anchor, tries) !== null,
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
