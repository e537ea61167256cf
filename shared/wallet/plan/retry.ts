/**
 * Retries of payments without paying twice: which earlier payments a new one repeats, and what it must share with them
 * (decision 24).
 *
 * Signed bytes that have left can be applied for as long as their notes are unspent, whatever a node says about them. So a
 * second try spends a note of each earlier one: at most one of them can then go through.
 */
import type { Nullifier, RawAddress } from "../../base/brand.ts";
import { holdsNotes, type Payee, type Payment } from "../state/payment.ts";
import { wholeIdOf } from "../reduce/paymentParts.ts";
import { rivalOf } from "../reduce/rival.ts";
import { samePayees } from "../reduce/samePayees.ts";
import { largestFirst } from "./settle.ts";
import { isUnder, type NoteStatus, type Spendability } from "./spendability.ts";
import type { ChainBlock, OwnNote, WalletState } from "../state/walletState.ts";

/**
 * The earlier payments that a new one to these payees would repeat: their bytes left, nothing final is known of them, and
 * either they seem to have failed or to be replaced by a stranger and pay one of the same addresses, or they are on their way
 * and pay the same amounts to them, alone or as the transactions of an order. One that is signed counts: its bytes leave with the
 * next look at the node. The transactions of the order `orderId` are the payment itself.
 */
export function repeatedPayments(
  state: Pick<WalletState, "outbox" | "orders">,
  payees: readonly Payee[],
  orderId: string | null = null,
): readonly Payment[] {
  const others = recipientsOf(payees);
  const same = new Set(
    state.orders.filter((order) => isSame(order.payees, payees)).map(({ id }) => id),
  );
  return state.outbox.filter((payment) => {
    const wholeId = wholeIdOf(payment);
    if (wholeId !== null && wholeId === orderId) return false;
    switch (payment.status.state) {
      case "signed":
      case "broadcasting":
      case "mempool":
        return (wholeId !== null && same.has(wholeId)) || isSame(payment.payees, payees);
      default:
        return isFailedTry(state, payment, others);
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
  const others = recipientsOf(payees);
  return state.outbox.filter((payment) => isFailedTry(state, payment, others));
}

function isFailedTry(
  state: Pick<WalletState, "outbox">,
  payment: Payment,
  others: ReadonlySet<RawAddress>,
): boolean {
  switch (payment.status.state) {
    case "failed":
    case "expired":
      return payment.txid !== null && paysSomeOf(payment.payees, others);
    case "conflicted":
      return isForeignConflict(state, payment) && paysSomeOf(payment.payees, others);
    default:
      return false;
  }
}

/** The notes that a payment may be made from, and those of them that it must spend. */
export type RetryNotes = {
  readonly usable: readonly OwnNote[];
  readonly forced: readonly OwnNote[];
};

/** The payments that hold each note. */
export type NoteHolders = ReadonlyMap<Nullifier, readonly Payment[]>;

/** Finds who holds the notes of an outbox. */
export function holdersOf(outbox: readonly Payment[]): NoteHolders {
  const holders = new Map<Nullifier, Payment[]>();
  for (const payment of outbox) {
    if (!holdsNotes(payment)) continue;
    for (const { nullifier } of payment.reserved) {
      const known = holders.get(nullifier);
      if (known === undefined) holders.set(nullifier, [payment]);
      else known.push(payment);
    }
  }
  return holders;
}

/**
 * The notes under an anchor that are free, or held by the repeated payments alone; and, chosen among these, at least one note
 * of each repeated payment. Null when one of them has none that is usable.
 */
export function retryNotes(
  { view, holders }: { readonly view: Spendability; readonly holders: NoteHolders },
  anchor: ChainBlock,
  repeated: readonly Payment[],
): RetryNotes | null {
  const known = new Set(repeated);
  const isUsable = ({ note, standing }: NoteStatus): boolean =>
    standing === "spendable" ||
    (standing === "reserved" && (holders.get(note.nullifier) ?? []).every((one) => known.has(one)));
  const usable = view.notes
    .filter((item) => isUnder(item.note, anchor) && isUsable(item))
    .map(({ note }) => note);
  const forced = known.size === 0 ? [] : forcedNotes(usable, repeated);
  return forced === null ? null : { usable, forced };
}

function forcedNotes(
  usable: readonly OwnNote[],
  repeated: readonly Payment[],
): readonly OwnNote[] | null {
  const counts = new Map<Nullifier, number>();
  for (const { reserved } of repeated) {
    for (const { nullifier } of reserved) counts.set(nullifier, (counts.get(nullifier) ?? 0) + 1);
  }
  const held = usable.filter(({ nullifier }) => counts.has(nullifier));
  const notes = new Map(held.map((note) => [note.nullifier, note] as const));
  const countOf = ({ nullifier }: OwnNote): number => counts.get(nullifier) ?? 0;
  const forced = new Set<OwnNote>();
  for (const { reserved } of repeated) {
    const shared = reserved
      .map(({ nullifier }) => notes.get(nullifier))
      .filter((note) => note !== undefined);
    if (shared.some((note) => forced.has(note))) continue;
    // A note of several earlier tries first, then the larger one.
    const [note] = shared.toSorted((a, b) => countOf(b) - countOf(a) || largestFirst(a, b));
    if (note === undefined) return null;
    forced.add(note);
  }
  return [...forced];
}

/** The spender of its note is no payment of this wallet: all there is is a node's word, however many blocks it adds. */
function isForeignConflict({ outbox }: Pick<WalletState, "outbox">, payment: Payment): boolean {
  if (payment.status.state !== "conflicted" || payment.txid === null) return false;
  return rivalOf(outbox, payment) === "elsewhere";
}

function recipientsOf(payees: readonly Payee[]): ReadonlySet<RawAddress> {
  return new Set(payees.filter(({ own }) => !own).map(({ recipient }) => recipient));
}

function paysSomeOf(earlier: readonly Payee[], others: ReadonlySet<RawAddress>): boolean {
  return earlier.some(({ recipient }) => others.has(recipient));
}

function isSame(earlier: readonly Payee[], payees: readonly Payee[]): boolean {
  return payees.some(({ own }) => !own) && samePayees(earlier, payees);
}
