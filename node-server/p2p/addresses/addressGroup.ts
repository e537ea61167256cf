/**
 * A group of peer addresses that share a host, a network range or a source, and which of them is evicted when it is full.
 *
 * Adding, removing and choosing take the same time however many there are: a stranger's list of thousands costs no more
 * for each than a short one.
 */

/** An address as a member of a group: only its failures count. */
export type GroupMember = { readonly failures: number };

/** One group of addresses, ordered by failures for eviction. */
export class AddressGroup<Member extends GroupMember> {
  /** By number of failures. */
  readonly #classes: Group<Member>[] = [];
  #size = 0;

  /** Number of members. */
  get size(): number {
    return this.#size;
  }

  /** Takes a member in that is not there. */
  add(member: Member): void {
    const { failures } = member;
    while (this.#classes.length <= failures) this.#classes.push(new Group());
    this.#classes[failures]?.add(member);
    this.#size += 1;
  }

  /** Removes a member, if it is there. */
  delete(member: Member): void {
    if (this.#classes[member.failures]?.delete(member) === true) this.#size -= 1;
  }

  /** One of those with the most failures, each as likely; `random` is at least 0 and below 1. */
  worst(random: number): Member | undefined {
    return this.#classes.findLast(({ size }) => size > 0)?.at(random);
  }
}

/** A set of which any member can be drawn. */
class Group<Member> {
  readonly #members: Member[] = [];
  readonly #places = new Map<Member, number>();

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    this.#places.set(member, this.#members.length);
    this.#members.push(member);
  }

  /** The last member takes the place of the one that goes. */
  delete(member: Member): boolean {
    const place = this.#places.get(member);
    const last = this.#members.at(-1);
    if (place === undefined || last === undefined) return false;
    this.#members[place] = last;
    this.#places.set(last, place);
    this.#members.pop();
    this.#places.delete(member);
    return true;
  }

  at(random: number): Member | undefined {
    return this.#members[Math.floor(random * this.#members.length)];
  }
}
