/** The rest of a stopped payment over several transactions: its payees that were not paid, and how much each of them still lacks. */
import { asSompi } from "../../base/brand.ts";
import { isLost, isOut, isUnderWay, type Payee, type PaymentOrder } from "../state/payment.ts";
import type { WalletState } from "../state/walletState.ts";
import { partsOf, wholeIdOf } from "./paymentParts.ts";
import { samePayees } from "./samePayees.ts";

/**
 * What nobody got of an order, in the order of its payees. A transaction that is out or may still be sent counts as paid, and one that a
 * node or a block refused as not paid: so the rest is never more than what is missing. The memo of a payee that was paid in part has
 * gone with its first part. Empty when all is paid, when a later payment paid exactly this rest, and when the stored transactions are
 * not those of the order.
 */
export function orderRest(
  state: Pick<WalletState, "outbox" | "orders">,
  order: PaymentOrder,
): readonly Payee[] {
  const rest = unpaid(state, order);
  return rest.length > 0 && isPaidSince(state, order, rest) ? [] : rest;
}

function unpaid({ outbox }: Pick<WalletState, "outbox">, order: PaymentOrder): readonly Payee[] {
  const lacks = order.payees.map((payee) => ({ payee, planned: 0n, lost: 0n, isBegun: false }));
  let at = 0;
  for (const part of partsOf(outbox, order.id)) {
    const isPaid = isOut(part) || isUnderWay(part);
    if (!isPaid && !isLost(part)) continue;
    for (const { recipient, value } of part.payees) {
      const lack = lacks[at];
      if (lack === undefined || lack.payee.recipient !== recipient) return [];
      if (lack.planned === 0n) lack.isBegun = isPaid;
      lack.planned += value;
      if (lack.planned > lack.payee.value) return [];
      if (!isPaid) lack.lost += value;
      if (lack.planned === lack.payee.value) at += 1;
    }
  }
  return lacks.flatMap(({ payee, planned, lost, isBegun }) => {
    const value = asSompi(payee.value - planned + lost);
    if (value === 0n) return [];
    return [{ ...payee, value, memo: isBegun ? "" : payee.memo }];
  });
}

/** Whether a payment or an order was made after this one that pays just these payees: what it lacks is its own rest. */
function isPaidSince(
  { outbox, orders }: Pick<WalletState, "outbox" | "orders">,
  order: PaymentOrder,
  rest: readonly Payee[],
): boolean {
  const paid = outbox.filter(
    (payment) => wholeIdOf(payment) === null && (isOut(payment) || isUnderWay(payment)),
  );
  return [...paid, ...orders].some(
    ({ id, createdMs, payees }) =>
      id !== order.id && createdMs >= order.createdMs && samePayees(payees, rest),
  );
}
