/**
 * Retries of payments without paying twice: which earlier payments a new one repeats, and what it must share with them
 * (decision 24).
 *
 * Signed bytes that have left can be applied for as long as their notes are unspent, whatever a node says about them. So a
 * second try spends a note of each earlier one: at most one of them can then go through.
 */
import type { Nullifier } from "../../base/brand.ts";
import { holdsNotes, type Payee, type Payment } from "../state/payment.ts";
import { rivalOf } from "../reduce/rival.ts";
import { isUnder, type NoteStatus, type Spendability } from "./spendability.ts";
import type { ChainBlock, OwnNote, WalletState } from "../state/walletState.ts";

/**
 * The earlier payments that a new one to these payees would repeat: their bytes left, nothing final is known of them, and
 * either they seem to have failed or to be replaced by a stranger and pay one of the same addresses, or they are on their way
 * and pay the same amounts to them. One that is signed counts: its bytes leave with the next look at the node.
 */
export function repeatedPayments(
  state: Pick<WalletState, "outbox">,
  payees: readonly Payee[],
): readonly Payment[] {
  return state.outbox.filter((payment) => {
    switch (payment.status.state) {
      case "signed":
      case "broadcasting":
      case "mempool":
        return isSame(payment.payees, payees);
      default:
        return isFailedTry(state, payment, payees);
    }
  });
}

/**
 * Those of them alone that seem to have failed or to be replaced by a stranger: for a caller whose equal payments are told apart
 * by other means than their payees and amounts.
 */
export function failedTries(
  state: Pick<WalletState, "outbox">,
  payees: readonly Payee[],
): readonly Payment[] {
  return state.outbox.filter((payment) => isFailedTry(state, payment, payees));
}

function isFailedTry(
  state: Pick<WalletState, "outbox">,
  payment: Payment,
  payees: readonly Payee[],
): boolean {
  switch (payment.status.state) {
    case "failed":
    case "expired":
      return payment.txid !== null && paysSomeOf(payment.payees, payees);
    case "conflicted":
      return isForeignConflict(state, payment) && paysSomeOf(payment.payees, payees);
    default:
      return false;
  }
}

/** The notes that a payment may be made from, and those of them that it must spend. */
export type RetryNotes = {
  readonly usable: readonly OwnNote[];
  readonly forced: readonly OwnNote[];
};

/**
 * The notes under an anchor that are free, or held by the repeated payments alone; and, chosen among these, at least one note
 * of each repeated payment. Null when one of them has none that is usable.
 */
export function retryNotes(
  state: Pick<WalletState, "outbox">,
  view: Spendability,
  anchor: ChainBlock,
  repeated: readonly Payment[],
): RetryNotes | null {
  const usable = view.notes
    .filter((item) => isUnder(item.note, anchor) && isUsable(state, item, repeated))
    .map(({ note }) => note);
  const forced: OwnNote[] = [];
  for (const payment of repeated) {
    const shared = (note: OwnNote) => reserves(payment, note.nullifier);
    if (forced.some(shared)) continue;
    const note = usable.filter(shared).toSorted(mostShared(repeated))[0];
    if (note === undefined) return null;
    forced.push(note);
  }
  return { usable, forced };
}

/** A note of several earlier tries first, then the larger one. */
function mostShared(repeated: readonly Payment[]): (a: OwnNote, b: OwnNote) => number {
  const count = ({ nullifier }: OwnNote) =>
    repeated.filter((payment) => reserves(payment, nullifier)).length;
  return (a, b) => count(b) - count(a) || (a.value < b.value ? 1 : -1);
}

function isUsable(
  { outbox }: Pick<WalletState, "outbox">,
  { note, standing }: NoteStatus,
  repeated: readonly Payment[],
): boolean {
  if (standing === "spendable") return true;
  if (standing === "maturing") return false;
  const holders = outbox.filter(
    (payment) => holdsNotes(payment) && reserves(payment, note.nullifier),
  );
  return holders.every((payment) => repeated.includes(payment));
}

function reserves(payment: Payment, nullifier: Nullifier): boolean {
  return payment.reserved.some((note) => note.nullifier === nullifier);
}

/** The spender of its note is no payment of this wallet: all there is is a node's word, however many blocks it adds. */
function isForeignConflict({ outbox }: Pick<WalletState, "outbox">, payment: Payment): boolean {
  if (payment.status.state !== "conflicted" || payment.txid === null) return false;
  return rivalOf(outbox, payment) === "elsewhere";
}

function paysSomeOf(earlier: readonly Payee[], payees: readonly Payee[]): boolean {
  return payees.some(
    ({ recipient, own }) => !own && earlier.some((one) => one.recipient === recipient),
  );
}

function isSame(earlier: readonly Payee[], payees: readonly Payee[]): boolean {
  const lines = (list: readonly Payee[]) =>
    list.map(({ recipient, value }) => `${recipient}:${value}`).toSorted();
  const [a, b] = [lines(earlier), lines(payees)];
  const toOthers = payees.some(({ own }) => !own);
  return toOthers && a.length === b.length && a.every((line, index) => line === b[index]);
}
