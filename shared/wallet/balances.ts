/** The sums a wallet shows; they follow from `spendability`, so they cannot disagree with the planner. */
import { asSompi, type Sompi } from "../base/brand.ts";
import type { IncomingPayment } from "./incoming.ts";
import { isUnderWay, paymentOutflow } from "./payment.ts";
import type { Spendability } from "./spendability.ts";
import { sumOfNotes, type WalletState } from "./walletState.ts";

/** Amounts of sompi. `total = spendable + maturing + returning`. */
export type Balances = {
  /** Everything that stays ours once the pending payments have gone through. */
  readonly total: Sompi;
  readonly spendable: Sompi;
  readonly maturing: Sompi;
  /** Notes reserved for pending payments, less what these take away: it comes back as change. */
  readonly returning: Sompi;
  /** Seen waiting for a block, not ours yet. */
  readonly pendingIn: Sompi;
  /** Leaves with the pending payments, fees included. */
  readonly pendingOut: Sompi;
};

/** The balances of a state. */
export function balances(
  state: WalletState,
  view: Spendability,
  incoming: readonly IncomingPayment[],
): Balances {
  const sumOf = (standing: string) =>
    sumOfNotes(view.notes.filter((item) => item.standing === standing).map(({ note }) => note));
  const spendable = sumOf("spendable");
  const maturing = sumOf("maturing");
  let pendingOut = 0n;
  let returning = 0n;
  for (const payment of state.outbox) {
    if (!isUnderWay(payment)) continue;
    const outflow = paymentOutflow(payment);
    pendingOut += outflow;
    returning += sumOfNotes(payment.reserved) - outflow;
  }
  return {
    total: asSompi(spendable + maturing + returning),
    spendable,
    maturing,
    returning: asSompi(returning),
    pendingIn: asSompi(incoming.reduce((sum, { amount }) => sum + amount, 0n)),
    pendingOut: asSompi(pendingOut),
  };
}
