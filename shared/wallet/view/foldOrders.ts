/** Folds the rows of a payment over several transactions into one, which opens to them. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import type { ErrorJson } from "../../base/svcError.ts";
import { orderRest } from "../reduce/orderRest.ts";
import { isResumable, orderProgress } from "../reduce/orders.ts";
import { wholeIdOf } from "../reduce/paymentParts.ts";
import { whyNotPaid } from "../reduce/paymentEnd.ts";
import { readMemo } from "../state/memo.ts";
import { paymentAmount, type Payment, type PaymentOrder } from "../state/payment.ts";
import type { WalletState } from "../state/walletState.ts";
import type { HistoryView, RowState } from "./history.ts";
import { rowPayees, type RowPayee } from "./rowPayees.ts";
import { isMerge } from "./mergedNotes.ts";

/** A payment over several transactions, as its row tells it. */
export type OrderView = {
  /** The rows of its transactions, in their order. */
  readonly parts: readonly HistoryView[];
  /** How many of them are on their way or in a block. */
  readonly out: number;
  /** What was confirmed, in sompi. */
  readonly confirmed: Sompi;
  /** Why nothing more of it is sent; null while it is paid in full, or will be. */
  readonly stopped: ErrorJson | null;
  /** What nobody got, of a payment that is stopped; empty where nothing is missing. */
  readonly rest: readonly RowPayee[];
};

/** The states from the least sure on. */
const STATES: readonly RowState[] = ["working", "waiting", "arriving", "settled"];

/** The rows, newest first, with the transactions of each order folded into one row, where the newest of them was. */
export function foldOrders(
  rows: readonly HistoryView[],
  state: WalletState,
): readonly HistoryView[] {
  if (state.orders.length === 0) return rows;
  const orders = new Map(state.orders.map((order) => [order.id, order]));
  const parts = new Map<string, HistoryView[]>();
  const orderIdOf = ({ paymentId }: HistoryView): string | null => {
    const id = paymentId === null ? null : wholeIdOf({ id: paymentId });
    return id !== null && orders.has(id) ? id : null;
  };
  for (const row of rows) {
    const id = orderIdOf(row);
    if (id !== null) parts.set(id, [row, ...(parts.get(id) ?? [])]);
  }
  return rows.flatMap((row) => {
    const id = orderIdOf(row);
    if (id === null) return [row];
    const order = orders.get(id);
    const found = parts.get(id);
    if (order === undefined || found === undefined) return [];
    parts.delete(id);
    return [orderRow(order, inOrder(found), row, state)];
  });
}

function orderRow(
  order: PaymentOrder,
  parts: readonly HistoryView[],
  newest: HistoryView,
  state: WalletState,
): HistoryView {
  const { out, lost, parts: payments } = orderProgress(state, order);
  const confirmed = paymentAmount(order);
  const stopped = order.stopped ?? (lost === null ? null : (whyNotPaid(lost)?.toJSON() ?? null));
  const counted = out.length === 0 ? payments : out;
  const amount = stopped === null || out.length === 0 ? confirmed : sumOf(out);
  const { payees } = order;
  const { merged: _, ...rest } = newest;
  const merged = isMerge(payees, state.account)
    ? { merged: counted.reduce((sum, { reserved }) => sum + reserved.length, 0) }
    : {};
  return {
    ...rest,
    ...merged,
    id: order.id,
    kind: payees.every(({ own }) => own) ? "self" : "sent",
    state: stateOf(order, parts, out, state),
    txid: null,
    paymentId: null,
    paymentStatus: null,
    removable: false,
    rival: null,
    amount,
    fee: asSompi((stopped === null ? payments : counted).reduce((sum, { fee }) => sum + fee, 0n)),
    counterparty: payees[0]?.address ?? null,
    payees: rowPayees(payees),
    memo: readMemo(payees.find(({ memo }) => memo !== "")?.memo ?? ""),
    memoKnown: true,
    addressIndex: null,
    confirmations: parts.reduce(
      (least, { confirmations }) => (confirmations < least ? confirmations : least),
      newest.confirmations,
    ),
    order: {
      parts,
      out: out.length,
      confirmed,
      stopped,
      rest: stopped === null ? [] : rowPayees(orderRest(state, order)),
    },
  };
}

/** The least sure of its transactions that are out; at work while there is a rest to send. */
function stateOf(
  order: PaymentOrder,
  parts: readonly HistoryView[],
  out: readonly Payment[],
  state: WalletState,
): RowState {
  if (parts.some((part) => part.state === "working") || isResumable(state, order)) return "working";
  if (out.length === 0) return "failed";
  const ids = new Set(out.map(({ id }) => id));
  const states = parts
    .filter(({ paymentId }) => ids.has(paymentId ?? ""))
    .map((part) => part.state);
  return STATES.find((one) => states.includes(one)) ?? "waiting";
}

function sumOf(payments: readonly Payment[]): Sompi {
  return asSompi(payments.reduce((sum, payment) => sum + paymentAmount(payment), 0n));
}

/** By the numbers of the transactions. */
function inOrder(parts: readonly HistoryView[]): readonly HistoryView[] {
  const numberOf = ({ paymentId }: HistoryView): number =>
    Number((paymentId ?? "").slice((paymentId ?? "").lastIndexOf(":") + 1));
  return parts.toSorted((a, b) => numberOf(a) - numberOf(b));
}
