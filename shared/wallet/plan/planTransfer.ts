/**
 * Plans a payment over as many transactions as it takes: any number of payees, any number of notes, all against one anchor
 * (specification wallet 11.5).
 *
 * One transaction where one suffices, planned as `planPayment` does. Otherwise payees keep their order and are filled into
 * transactions, as many whole ones as its notes can pay. A payment that no transaction holds alone is paid in parts that add up
 * exactly. Where whole payments leave too much behind as change, a payment is split wherever a transaction is full. No
 * transaction spends the change of another one: it is too young.
 */
import { asSompi, type Sompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { capacityOf } from "./maxSendableTransfer.ts";
import { NoteLadder } from "./noteLadder.ts";
import {
  lackOfFunds,
  NOT_IN_ONE,
  notesStanding,
  planPayment,
  spendableUnder,
  type PlannedPayment,
} from "./planner.ts";
import { PayeeQueue } from "../reduce/payeeQueue.ts";
import { feeOf, type NoteChoice } from "./settle.ts";
import { spendability, type Spendability } from "./spendability.ts";
import { paymentAmount, type Payee } from "../state/payment.ts";
import type { OwnNote, WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/**
 * How many transactions a request may take. `one`: one or none at all, by `planPayment`. `many`: as many as it takes. `part`:
 * the first of those alone, for a caller that asks again for the rest; money sent to oneself needs no rest that can be paid.
 */
export type TransferMode = "many" | "one" | "part";

/** What is to be paid. */
export type TransferRequest = {
  readonly payees: readonly Payee[];
  /** The least fee of each transaction; its size may demand more. */
  readonly feeFloor: Sompi;
  readonly mode: TransferMode;
};

type Part = Omit<PlannedPayment, "anchor">;
/** Whether a payment is split only where no transaction holds it alone, or wherever a transaction is full. */
type Split = "seldom" | "freely";
type Shares = { readonly parts: readonly Part[]; readonly isWhole: boolean; readonly paid: number };

/**
 * Plans the transactions of a request, in the order in which they are to be sent. Throws `amount/zero`,
 * `codec/number-out-of-range` when the sum is none, and when the notes do not allow it `wallet/funds-maturing`,
 * `wallet/payment-pending` or `wallet/insufficient-funds`. Where there is money enough in too few notes it throws
 * `wallet/too-few-notes` with the number of payees, from the first on, that can be paid now. Mode `one` throws as
 * `planPayment` does.
 */
export function planTransfer(
  state: WalletState,
  policy: WalletPolicy,
  request: TransferRequest,
): readonly PlannedPayment[] {
  const { payees, feeFloor, mode } = request;
  if (paymentAmount(request) === 0n) throw new SvcError("amount/zero", {});
  if (mode === "one") return [planPayment(state, policy, payees, { feeFloor })];
  const single = planSingle(state, policy, request);
  if (single !== null) return [single];
  const view = spendability(state, policy);
  let paid = 0;
  for (const split of ["seldom", "freely"] as const) {
    for (const anchor of [view.preferred, view.limit]) {
      if (anchor === null) continue;
      const ladder = new NoteLadder(spendableUnder(view, anchor), policy.maxSpends);
      const shares = shareOut(ladder, request, split);
      if (split === "seldom") ({ paid } = shares);
      if (shares.isWhole || isPartOfOwn(request, shares)) {
        const planned = shares.parts.map((part) => ({ ...part, anchor }));
        return mode === "part" ? planned.slice(0, 1) : planned;
      }
    }
  }
  throw whyNoShares({ state, policy, view, paid }, request);
}

function planSingle(
  state: WalletState,
  policy: WalletPolicy,
  { payees, feeFloor }: TransferRequest,
): PlannedPayment | null {
  if (payees.length > WALLET_LIMITS.walletPayeesMax) return null;
  try {
    return planPayment(state, policy, payees, { feeFloor });
  } catch (error) {
    if (SvcError.is(error, ...NOT_IN_ONE)) return null;
    throw error;
  }
}

/** Money that a wallet moves within itself goes as far as the notes of a transaction carry. */
function isPartOfOwn({ payees, mode }: TransferRequest, { parts }: Shares): boolean {
  return mode === "part" && parts.length > 0 && payees.every(({ own }) => own);
}

/** Fills transactions until all is paid or the notes are not enough; `paid` counts the payees that are paid in full. */
function shareOut(ladder: NoteLadder, { payees, feeFloor }: TransferRequest, split: Split): Shares {
  const parts: Part[] = [];
  const queue = new PayeeQueue(payees);
  while (queue.left > 0) {
    const part =
      wholePayees(ladder, queue, feeFloor, split) ?? fullNotes(ladder, queue, feeFloor, split);
    if (part === null) return { parts, isWhole: false, paid: queue.paid };
    parts.push(part);
  }
  return { parts, isWhole: true, paid: queue.paid };
}

/**
 * As many whole payments as one transaction can make, the rest of its notes as change. When splitting is free: all that are
 * left, or none.
 */
function wholePayees(
  ladder: NoteLadder,
  queue: PayeeQueue,
  feeFloor: Sompi,
  split: Split,
): Part | null {
  const next = queue.next(WALLET_LIMITS.walletPayeesMax);
  const least = split === "seldom" ? 1 : next.length;
  let amount: bigint = paymentAmount({ payees: next });
  for (let payees = next.length; payees >= least; payees -= 1) {
    const choice = ladder.choose({ amount, payees, feeFloor });
    if (choice !== null) {
      ladder.take(choice.from, choice.notes.length);
      queue.pay(next.slice(0, payees));
      return partOf(next.slice(0, payees), choice);
    }
    amount -= next[payees - 1]?.value ?? 0n;
  }
  return null;
}

/** A transaction whose notes are all used up: the last payment in it is made in part. */
function fullNotes(
  ladder: NoteLadder,
  queue: PayeeQueue,
  feeFloor: Sompi,
  split: Split,
): Part | null {
  const { notes, room } = ladder.load(feeFloor);
  if (room === 0n) return null;
  // Outputs up to the number of spends cost nothing beside these.
  const most = split === "seldom" ? 1 : Math.min(WALLET_LIMITS.walletPayeesMax, notes.length);
  const payees: Payee[] = [];
  let left = room;
  for (const payee of queue.next(most)) {
    const value = payee.value < left ? payee.value : asSompi(left);
    payees.push({ ...payee, value });
    left -= value;
    if (value < payee.value) break;
  }
  // So many small payments: there is change, which is an output more.
  if (left > 0n) return wholePayees(ladder, queue, feeFloor, "seldom");
  ladder.take(0, notes.length);
  queue.pay(payees);
  const fee = feeOf(notes.length, payees.length, feeFloor);
  return partOf(payees, { notes, fee, change: asSompi(0n) });
}

function partOf(payees: readonly Payee[], { notes, fee, change }: NoteChoice): Part {
  return { payees, notes, fee, change };
}

/** Why no shares pay it all. */
function whyNoShares(
  from: {
    readonly state: WalletState;
    readonly policy: WalletPolicy;
    readonly view: Spendability;
    readonly paid: number;
  },
  request: TransferRequest,
): SvcError {
  const { state, policy, view, paid } = from;
  const spendable = notesStanding(view, "spendable");
  const needed = neededFrom(spendable, policy, request);
  const sum = spendable.reduce((total, { value }) => total + value, 0n);
  if (needed <= sum) {
    return new SvcError("wallet/too-few-notes", { payees: request.payees.length, payable: paid });
  }
  const ladder = new NoteLadder(notesStanding(view, "spendable", "maturing"), policy.maxSpends);
  return lackOfFunds(state, view, needed, shareOut(ladder, request, "freely").isWhole);
}

/**
 * The sum of notes that a request needs: its amount with the least fees of its transactions, or what is there and cannot be
 * spent for less than it is worth, and what is missing beside it.
 */
function neededFrom(
  notes: readonly OwnNote[],
  policy: WalletPolicy,
  { payees, feeFloor }: TransferRequest,
): bigint {
  const amount = paymentAmount({ payees });
  const most = WALLET_LIMITS.walletPayeesMax;
  let least: bigint = amount;
  for (let from = 0; from < payees.length; from += most) {
    least += feeOf(1, Math.min(most, payees.length - from) + 1, feeFloor);
  }
  const sum = notes.reduce((total, { value }) => total + value, 0n);
  const short = sum + amount - capacityOf(notes, policy, feeFloor).amount;
  return least > short ? least : short;
}
