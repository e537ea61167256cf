/** Reducer that removes an ended payment from the wallet, so that its line leaves the history. */
import { SvcError } from "../../base/svcError.ts";
import type { Payment } from "../state/payment.ts";
import type { WalletState } from "../state/walletState.ts";

/**
 * True for a payment that no block can apply any more: its bytes never left, or another payment of this wallet has replaced
 * it beyond undoing.
 */
export function isOver(
  { status, txid }: Pick<Payment, "status" | "txid">,
  outbox: readonly Payment[],
): boolean {
  switch (status.state) {
    case "draft":
    case "cancelled":
      return true;
    // Its age is one node's word, as a refusal is: a second try must still share a note with it (decision 24).
    case "failed":
    case "expired":
      return txid === null;
    // That a stranger has spent its notes is one node's word, too.
    case "conflicted":
      return (
        txid === null ||
        (status.previous === null && outbox.some((other) => other.txid === status.txid))
      );
    default:
      return false;
  }
}

/** The state without this payment. Throws `wallet/payment-pending` while a block may still apply it. */
export function forgetPayment(state: WalletState, id: string): WalletState {
  const payment = state.outbox.find((candidate) => candidate.id === id);
  if (payment === undefined) return state;
  if (!isOver(payment, state.outbox)) {
    throw new SvcError("wallet/payment-pending", { txid: payment.txid ?? payment.id });
  }
  return { ...state, outbox: state.outbox.filter((candidate) => candidate !== payment) };
}
