/**
 * Which earlier tries of a payment nothing takes the place of yet (decision 24).
 *
 * A transaction that shares a note with a try takes its place for a payee where it pays him at least as much: if the try is applied
 * instead, he has no more than was meant. It takes the place of several only where it pays as much as all of them that may be applied
 * together. A try whose place is taken needs no note of the transactions that come later.
 */
import type { Nullifier, RawAddress } from "../../base/brand.ts";
import type { Payee, Payment } from "../state/payment.ts";

/** A transaction as far as earlier tries look at it. */
export type Rival = {
  readonly payees: readonly Payee[];
  readonly notes: readonly { readonly nullifier: Nullifier }[];
};

/** An earlier try, and the payees for whom nothing takes its place. */
type Try = {
  readonly payment: Payment;
  readonly place: number;
  readonly nullifiers: ReadonlySet<Nullifier>;
  /** What each of the payees gets. */
  readonly values: ReadonlyMap<RawAddress, bigint>;
  readonly open: Set<RawAddress>;
  /** Its notes that no transaction took. */
  left: number;
};

/** Tries that share a note with each other, of which one at most is ever applied, and the largest of their values. */
type Group = { readonly members: Try[]; most: bigint };

/** The earlier tries of a payment, and which of them the planned transactions replace. */
export class OpenTries {
  readonly #byPayee = new Map<RawAddress, Try[]>();
  readonly #byNote = new Map<Nullifier, Try[]>();

  constructor(tries: readonly Payment[]) {
    for (const [place, payment] of tries.entries()) {
      const values = valuesOf(payment.payees);
      const nullifiers = new Set(payment.reserved.map(({ nullifier }) => nullifier));
      const open = new Set(values.keys());
      const tried = { payment, place, nullifiers, values, open, left: nullifiers.size };
      for (const recipient of values.keys()) listed(this.#byPayee, recipient).push(tried);
      for (const nullifier of nullifiers) listed(this.#byNote, nullifier).push(tried);
    }
  }

  /** The tries that pay one of these payees and whose place for him nothing takes, in their order. */
  of(payees: readonly Payee[]): readonly Payment[] {
    const found = new Set<Try>();
    for (const { recipient, own } of payees) {
      if (own) continue;
      for (const tried of this.#byPayee.get(recipient) ?? []) {
        if (tried.open.has(recipient)) found.add(tried);
      }
    }
    return [...found].toSorted((a, b) => a.place - b.place).map(({ payment }) => payment);
  }

  /** Whether `of` finds any. */
  hasAny(payees: readonly Payee[]): boolean {
    return payees.some(
      ({ recipient, own }) =>
        !own && this.#byPayee.get(recipient)?.some(({ open }) => open.has(recipient)) === true,
    );
  }

  /** Counts a transaction that was planned, or is out: it takes the place of those tries that its value is enough for. */
  take({ payees, notes }: Rival): void {
    const shared = new Set<Try>();
    for (const { nullifier } of notes) {
      for (const tried of this.#byNote.get(nullifier) ?? []) {
        tried.left -= 1;
        shared.add(tried);
      }
    }
    if (shared.size === 0) return;
    // A later transaction can share a note only with a try that has some left.
    const tries = [...shared].toSorted((a, b) => a.left - b.left || a.place - b.place);
    for (const [recipient, value] of valuesOf(payees)) {
      takeFor(recipient, value, tries);
    }
  }
}

/** The sum of the groups bounds what the tries can pay the payee together. */
function takeFor(recipient: RawAddress, value: bigint, tries: readonly Try[]): void {
  const groups: Group[] = [];
  let sum = 0n;
  for (const tried of tries) {
    const own = tried.values.get(recipient);
    if (own === undefined || !tried.open.has(recipient)) continue;
    const known = groups.find(({ members }) => members.every((other) => isRival(other, tried)));
    const group = known ?? { members: [], most: 0n };
    const most = own > group.most ? own : group.most;
    if (sum - group.most + most > value) continue;
    sum += most - group.most;
    group.most = most;
    group.members.push(tried);
    if (known === undefined) groups.push(group);
    tried.open.delete(recipient);
  }
}

function isRival({ nullifiers }: Try, { payment }: Try): boolean {
  return payment.reserved.some(({ nullifier }) => nullifiers.has(nullifier));
}

function valuesOf(payees: readonly Payee[]): ReadonlyMap<RawAddress, bigint> {
  const values = new Map<RawAddress, bigint>();
  for (const { recipient, value } of payees) {
    values.set(recipient, (values.get(recipient) ?? 0n) + value);
  }
  return values;
}

function listed<Key>(lists: Map<Key, Try[]>, key: Key): Try[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
