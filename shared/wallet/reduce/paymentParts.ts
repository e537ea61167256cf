/** Payments that are the transactions of one whole: their ids are that of the whole, a colon, and a number. */
import { isLost, isOut, type Payment } from "../state/payment.ts";
import type { WalletState } from "../state/walletState.ts";

/** The id of a transaction of a whole, by its number. */
export function partId(wholeId: string, number: number): string {
  return `${wholeId}:${number}`;
}

/** The id of the whole that a payment is a transaction of; null for a payment by itself. */
export function wholeIdOf({ id }: Pick<Payment, "id">): string | null {
  const at = id.lastIndexOf(":");
  return at < 0 ? null : id.slice(0, at);
}

/** The transactions of a whole, by their numbers. */
export function partsOf(outbox: readonly Payment[], wholeId: string): readonly Payment[] {
  const begin = partId(wholeId, 0).slice(0, -1);
  const numberOf = ({ id }: Payment): number => Number(id.slice(begin.length));
  return outbox
    .filter(({ id }) => id.startsWith(begin))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** The state without what was planned of a whole and nobody signed, or signed and cancelled in time. */
export function withoutUnsent(state: WalletState, wholeId: string): WalletState {
  const outbox = state.outbox.filter(
    (payment) => wholeIdOf(payment) !== wholeId || isOut(payment) || isLost(payment),
  );
  return outbox.length === state.outbox.length ? state : { ...state, outbox };
}
