/** The queue of payees in the order in which they are paid, and the unpaid rest of it; the last payee may be paid in part. */
import { asSompi } from "../../base/brand.ts";
import type { Payee } from "../state/payment.ts";

/** The part of a payee that a queue looks at: an amount in sompi, and the memo as hex, "" for none. */
export type QueuedPayee = Pick<Payee, "value" | "memo">;

/**
 * What is left to pay of payees when these parts of them, in their order, are paid. The memo of one that was paid in part has
 * gone with that part.
 */
export function payeesLeft<P extends QueuedPayee>(
  payees: readonly P[],
  paid: readonly QueuedPayee[],
): readonly P[] {
  const queue = new PayeeQueue(payees);
  for (const part of paid) queue.pay([part]);
  return queue.next(queue.left);
}

/** Payees in their order, and how much of the first one has been paid. */
export class PayeeQueue<P extends QueuedPayee = Payee> {
  readonly #payees: readonly P[];
  #at = 0;
  #part = 0n;

  constructor(payees: readonly P[]) {
    this.#payees = payees;
  }

  /** Payees that are paid in full. */
  get paid(): number {
    return this.#at;
  }

  get left(): number {
    return this.#payees.length - this.#at;
  }

  /** The next payees with what they have still to get; the memo went with the first part. */
  next(most: number): readonly P[] {
    const next = this.#payees.slice(this.#at, this.#at + most);
    const [first] = next;
    if (first === undefined || this.#part === 0n) return next;
    const rest = { ...first, value: asSompi(first.value - this.#part), memo: "" };
    return [rest, ...next.slice(1)];
  }

  /** Counts payments to the next payees, in order; the last of them may be in part. */
  pay(payees: readonly QueuedPayee[]): void {
    for (const { value } of payees) {
      this.#part += value;
      if (this.#part < (this.#payees[this.#at]?.value ?? 0n)) return;
      this.#at += 1;
      this.#part = 0n;
    }
  }
}
