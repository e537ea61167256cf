/**
 * Sends a payment: chooses the notes of all its transactions at once, then makes one after the other (specification wallet 12.1).
 *
 * A payment over several transactions is written down whole, as an order, with the plan of its transactions and before the first of
 * them. After a kill `resumePayment` goes on with what is not signed.
 */
import { throwIfAborted } from "../../base/abort.ts";
import { asSompi, type Sompi } from "../../base/brand.ts";
import { infoOf } from "../../base/errors.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import type { PlannedPayment } from "../plan/planner.ts";
import { repeatedPayments } from "../plan/retry.ts";
import { planWhole } from "../plan/reviewPayment.ts";
import { findOrder, isResumable, leaveOrder, orderProgress } from "../reduce/orders.ts";
import { endWork, paymentOf } from "../reduce/outbox.ts";
import { whyLost } from "../reduce/paymentEnd.ts";
import { partId, withoutUnsent } from "../reduce/paymentParts.ts";
import {
  PAYMENT_ORDER_VERSION,
  type Payee,
  type Payment,
  type PaymentOrder,
} from "../state/payment.ts";
import type { ProveProgress } from "../state/ports.ts";
import type { WholeIntent } from "../state/provePlan.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import type { WalletState } from "../state/walletState.ts";
import { payReserved, type PayParts } from "./payReserved.ts";
import {
  checkFee,
  planAtTurn,
  reserveAll,
  tipToPayAt,
  type NumberedPayment,
} from "./reservePayment.ts";

/** Dependencies of sending. */
export type SendParts = PayParts & {
  readonly policy: WalletPolicy;
  /** The network profile, as JSON. */
  readonly profile: unknown;
  /** Full viewing key, hex of 96 bytes. */
  readonly fvk: string;
};

/** A payment to send, as its owner confirmed it. */
export type SendRequest = {
  /** Fresh and unique, without a colon, for example a random UUID. */
  readonly id: string;
  readonly payees: readonly Payee[];
  /** The most that may be paid as fee, for all transactions together; null for what the size demands. */
  readonly maxFee: Sompi | null;
  /**
   * The owner has confirmed that this is one more payment, though an equal one is still on its way or may have failed. Without
   * it the payment shares a note with each of those, so that at most one goes through.
   */
  readonly separate?: boolean;
  /** Whether the payment can be read back from the chain with the viewing key alone. */
  readonly recoverable: boolean;
};

/** Why a signal fires that stops a payment for good. A signal that fires otherwise, as at a lock, leaves an order to be gone on with. */
export const CANCELLED_BY_OWNER = new SvcError("wallet/cancelled", {});

/**
 * Plans, proves, signs and broadcasts a payment. The node is asked nothing before it gets the signed bytes: what it needs to
 * know of the chain the wallet has. Resolves with the last of its transactions, as `payReserved` does. Rejects with the planner's
 * errors, `wallet/fee-too-high`, and like `tipToPayAt` and `payReserved`.
 */
export async function sendPayment(
  parts: SendParts,
  request: SendRequest,
  progress: ProveProgress,
  signal: AbortSignal,
): Promise<Payment> {
  throwIfAborted(signal);
  const { clock } = parts;
  const repeatedIn = (state: WalletState): readonly Payment[] =>
    request.separate === true ? [] : repeatedPayments(state, request.payees);
  const payments = await reserve(parts, (state) => {
    const repeated = repeatedIn(state);
    const planned = planWhole(state, parts.policy, { payees: request.payees, repeated });
    checkFee(feesOf(planned), request.maxFee);
    if (planned.length === 1) return { state, planned, idOf: () => request.id };
    const order = orderOf(request, planned, clock.nowMs());
    const next = { ...state, orders: [...state.orders, order] };
    return { state: next, planned, idOf: (place) => partId(request.id, place) };
  });
  return payAll(parts, request, payments, { progress, signal });
}

/**
 * Goes on with an order that a closed program left: what is not signed is planned again, never more than was confirmed. Resolves
 * and rejects as `sendPayment` does; `internal/unexpected` for an order that is not `isResumable`.
 */
export async function resumePayment(
  parts: SendParts,
  id: string,
  progress: ProveProgress,
  signal: AbortSignal,
): Promise<Payment> {
  throwIfAborted(signal);
  const order = findOrder(parts.sync.state, id);
  if (order === undefined || !isResumable(parts.sync.state, order)) {
    throw new SvcError("internal/unexpected", { message: "no payment to go on with" });
  }
  let payments: readonly NumberedPayment[];
  try {
    payments = await reserve(parts, (before) => {
      const state = withoutUnsent(before, id);
      const { out, left, parts: all } = orderProgress(state, order);
      const lost = whyLost(all);
      if (lost !== null) throw lost;
      const repeated = order.separate ? [] : repeatedPayments(state, order.payees, id);
      const planned = planWhole(state, parts.policy, { payees: left, repeated, own: out });
      checkFee(feesOf([...out, ...planned]), order.maxFee);
      return { state, planned, idOf: (place) => partId(id, out.length + place) };
    });
  } catch (thrown) {
    throw await leave(parts, id, SvcError.from(thrown), signal);
  }
  return payAll(parts, order, payments, { progress, signal });
}

/** Stops an order for good where nobody is at work on it. */
export async function stopPayment({ sync }: Pick<SendParts, "sync">, id: string): Promise<void> {
  await sync.hold((state) => leaveOrder(state, id, CANCELLED_BY_OWNER.toJSON()));
}

type Reservation = {
  readonly state: WalletState;
  readonly planned: readonly PlannedPayment[];
  readonly idOf: (place: number) => string;
};

/** Chooses notes and reserves them in one change, so no two payments get the same note. */
async function reserve(
  { sync, clock }: SendParts,
  choose: (state: WalletState) => Reservation,
): Promise<readonly NumberedPayment[]> {
  tipToPayAt(sync);
  let made: readonly NumberedPayment[] = [];
  await sync.update((before) => {
    tipToPayAt({ tip: sync.tip, fault: sync.fault, state: before });
    const { state, planned, idOf } = choose(before);
    const next = reserveAll({ state, tree: sync.tree, nowMs: clock.nowMs() }, planned, idOf);
    made = next.payments;
    return next.state;
  });
  return made;
}

type Run = { readonly progress: ProveProgress; readonly signal: AbortSignal };

/** Makes the reserved transactions of a payment one after the other, and leaves it as it then stands. */
async function payAll(
  parts: SendParts,
  { id, recoverable }: Pick<SendRequest, "id" | "recoverable">,
  payments: readonly NumberedPayment[],
  { progress, signal }: Run,
): Promise<Payment> {
  const { sync } = parts;
  try {
    for (const payment of payments) {
      throwIfAborted(signal);
      const plan = planAtTurn({ ...parts, recoverable }, sync, payment);
      const whole = wholeIntent(sync.state, id);
      await payReserved(parts, { id: payment.id, plan, whole }, progress, signal);
    }
  } catch (thrown) {
    throw await leave(parts, id, SvcError.from(thrown), signal);
  }
  return paymentOf(sync.state, payments.at(-1)?.id ?? id);
}

/**
 * Leaves a payment in the middle. What passes by itself, and a stop that its owner did not ask for, leave an order to be gone on with
 * once a part of it is out. Gives the error to throw.
 */
async function leave(
  { sync }: SendParts,
  id: string,
  thrown: SvcError,
  signal: AbortSignal,
): Promise<SvcError> {
  const error = signal.aborted ? CANCELLED_BY_OWNER : thrown;
  await sync.hold((state) => {
    const order = findOrder(state, id);
    if (order === undefined) return leaveSingle(state, id, error, signal);
    if (order.stopped !== null) return state;
    const isOut = orderProgress(state, order).out.length > 0;
    return leaveOrder(state, id, isOut ? whyStopped(error, signal) : error.toJSON());
  });
  return error;
}

/** A payment of one transaction that `payReserved` has not ended was not begun. */
function leaveSingle(
  state: WalletState,
  id: string,
  error: SvcError,
  { aborted }: AbortSignal,
): WalletState {
  const event = aborted
    ? { type: "cancel" as const }
    : { type: "fail" as const, error: error.toJSON() };
  return state.outbox.some((payment) => payment.id === id) ? endWork(state, id, event) : state;
}

function whyStopped(error: SvcError, signal: AbortSignal): ErrorJson | null {
  if (signal.aborted) return signal.reason === CANCELLED_BY_OWNER ? error.toJSON() : null;
  // Blocks below the anchor were undone: there is another anchor.
  const passes = infoOf(error).retryable || error.code === "wallet/tree-mismatch";
  return passes ? null : error.toJSON();
}

/** What the signer compares a transaction with; null for a payment of one. */
function wholeIntent(state: WalletState, id: string): WholeIntent | null {
  const order = findOrder(state, id);
  if (order === undefined) return null;
  const outputs = (payees: readonly Payee[]) =>
    payees.map(({ recipient, value, memo }) => ({
      address: recipient,
      value: String(value),
      memo,
    }));
  const { out } = orderProgress(state, order);
  return {
    payments: outputs(order.payees),
    maxFee: String(order.maxFee),
    signed: out.map(({ payees, fee }) => ({ payments: outputs(payees), fee: String(fee) })),
  };
}

function orderOf(
  { id, payees, maxFee, separate = false, recoverable }: SendRequest,
  planned: readonly PlannedPayment[],
  createdMs: Payment["createdMs"],
): PaymentOrder {
  const version = PAYMENT_ORDER_VERSION;
  const most = maxFee ?? feesOf(planned);
  return { version, id, createdMs, payees, maxFee: most, separate, recoverable, stopped: null };
}

function feesOf(planned: readonly { readonly fee: Sompi }[]): Sompi {
  return asSompi(planned.reduce((sum, { fee }) => sum + fee, 0n));
}
