/**
 * The reducer of payment orders: the unpaid rest of a payment over several transactions, and how the payment ends.
 *
 * An order is written with the plan of its transactions, before any of them is broadcast. What is signed counts as paid; what is not
 * is planned again. So an order never pays more than was confirmed, whenever the program dies.
 */
import type { ErrorJson } from "../../base/svcError.ts";
import {
  draftPayment,
  isLost,
  isOut,
  type Payee,
  type Payment,
  type PaymentOrder,
} from "../state/payment.ts";
import type { WalletState } from "../state/walletState.ts";
import { payeesLeft } from "./payeeQueue.ts";
import { partsOf, withoutUnsent } from "./paymentParts.ts";

/** The order with this id; undefined for none. */
export function findOrder(
  { orders }: Pick<WalletState, "orders">,
  id: string,
): PaymentOrder | undefined {
  return orders.find((order) => order.id === id);
}

/** How far an order is. */
export type OrderProgress = {
  /** Its transactions, in order. */
  readonly parts: readonly Payment[];
  /** Those of them whose bytes are on their way, or in a block. */
  readonly out: readonly Payment[];
  /** The first one that a node or another transaction has put an end to; it may still go through. */
  readonly lost: Payment | null;
  /** The unsigned rest. */
  readonly left: readonly Payee[];
};

/** Tells how far an order is. */
export function orderProgress(
  { outbox }: Pick<WalletState, "outbox">,
  order: PaymentOrder,
): OrderProgress {
  const parts = partsOf(outbox, order.id);
  const out = parts.filter((part) => isOut(part));
  const paid = out.flatMap(({ payees }) => payees);
  return {
    parts,
    out,
    lost: parts.find((part) => isLost(part)) ?? null,
    left: payeesLeft(order.payees, paid),
  };
}

/** An order of which a part is out and nothing is in the way of the rest: it is to be gone on with. */
export function isResumable(state: WalletState, order: PaymentOrder): boolean {
  if (order.stopped !== null) return false;
  const { out, lost, left } = orderProgress(state, order);
  return out.length > 0 && lost === null && left.length > 0;
}

/**
 * The state in which nobody is at work on an order: what was planned and not signed is gone. `stopped`: why no more of it will be
 * sent; null where it is to be gone on with. An order of which nothing is out is a payment that was not made.
 */
export function leaveOrder(state: WalletState, id: string, stopped: ErrorJson | null): WalletState {
  const order = findOrder(state, id);
  if (order === undefined) return state;
  const cut = withoutUnsent(state, id);
  if (partsOf(cut.outbox, id).length === 0) {
    const orders = cut.orders.filter((other) => other !== order);
    return { ...cut, orders, outbox: [...cut.outbox, unmade(order, stopped)] };
  }
  if (stopped === null) return cut;
  const orders = cut.orders.map((other) => (other === order ? { ...order, stopped } : other));
  return { ...cut, orders };
}

/** After a restart nobody is at work on any order. */
export function leaveOrders(state: WalletState): WalletState {
  return state.orders.reduce((next, { id, stopped }) => leaveOrder(next, id, stopped), state);
}

function unmade({ id, createdMs, payees }: PaymentOrder, stopped: ErrorJson | null): Payment {
  const draft = draftPayment(id, createdMs, payees);
  if (stopped === null) return draft;
  if (stopped.code === "wallet/cancelled") return { ...draft, status: { state: "cancelled" } };
  return { ...draft, status: { state: "failed", error: stopped } };
}
