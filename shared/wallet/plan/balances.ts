/** Balances that a wallet shows; they follow from `spendability`, so they cannot disagree with the planner. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import type { IncomingPayment } from "../reduce/incoming.ts";
import { reservations } from "../reduce/outboxChain.ts";
import { isUnderWay, mayStillApply, paymentOutflow } from "../state/payment.ts";
import type { Spendability } from "./spendability.ts";
import { sumOfNotes, type WalletState } from "../state/walletState.ts";

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

/** Computes the balances of a state. */
export function balances(
  state: WalletState,
  view: Spendability,
  incoming: readonly IncomingPayment[],
): Balances {
  const { spendable, maturing } = sumsOf(view);
  let pendingOut = 0n;
  let returning = 0n;
  const holders = reservations(state.outbox);
  for (const payment of new Set(holders.values())) {
    // After a reorganisation two payments may reserve one note: it counts for one of them only.
    const held = payment.reserved.filter(({ nullifier }) => holders.get(nullifier) === payment);
    if (!mayStillApply(payment)) continue;
    // Of a payment and its second try at most one goes through: the later one counts.
    const isRepeated = held.length < payment.reserved.length;
    const outflow = isUnderWay(payment) && !isRepeated ? paymentOutflow(payment) : 0n;
    pendingOut += outflow;
    const rest = sumOfNotes(held) - outflow;
    if (rest > 0n) returning += rest;
  }
  return {
    total: asSompi(spendable + maturing + returning),
    spendable,
    maturing,
    returning: asSompi(returning),
    pendingIn: sumOfWaiting(state, incoming),
    pendingOut: asSompi(pendingOut),
  };
}

function sumsOf({ notes }: Spendability): Pick<Balances, "spendable" | "maturing"> {
  let [spendable, maturing] = [0n, 0n];
  for (const { standing, note } of notes) {
    if (standing === "spendable") spendable += note.value;
    else if (standing === "maturing") maturing += note.value;
  }
  return { spendable: asSompi(spendable), maturing: asSompi(maturing) };
}

/** Without those that a block has by now. Nobody looks through a long history for none. */
function sumOfWaiting({ history }: WalletState, incoming: readonly IncomingPayment[]): Sompi {
  if (incoming.length === 0) return asSompi(0n);
  const inChain = new Set(history.map(({ txid }) => txid));
  const waiting = incoming.filter(({ txid }) => !inChain.has(txid));
  return asSompi(waiting.reduce((sum, { amount }) => sum + amount, 0n));
}
